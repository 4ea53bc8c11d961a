/** Refusals of calls about clusters: orders, names, hosts, and actions. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { actionRefusals } from './action-refusals.ts'

export const clustersRefusals = {
  createNotPermitted: { code: codes.forbidden },
  idNotBound: { code: codes.conflict },
  restoreGuarded: { code: codes.conflict },
  restoreTooLarge: { code: codes.conflict, field: 'offering' },
  selfHostTooMany: { code: codes.conflict },
  vCpuQuotaPassed: { code: codes.conflict },
  offeringUnknown: { code: codes.badParameter },
  regionUnknown: { code: codes.badParameter },
  cloudUnknown: { code: codes.badParameter },
  versionUnknown: { code: codes.badParameter },
  offeringSoldOut: { code: codes.conflict },
  regionClosed: { code: codes.conflict },
  clusterNameMalformed: { code: codes.badParameter, field: 'name' },
  clusterNameTaken: { code: codes.conflict, field: 'name' },
  tunnelTokenMalformed: { code: codes.badParameter },
  machineUnknown: { code: codes.conflict },
  selfHostPower: { code: codes.conflict },
  selfHostOnly: { code: codes.conflict },
  selfHostEnrolled: { code: codes.conflict },
  restoreOfWorker: { code: codes.badParameter },
  ...actionRefusals,
} as const satisfies Refusals
