/** Refusals of the identity service. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const identityRefusals = {
  didMalformed: { code: codes.badParameter },
  didUnknown: { code: codes.notFound },
  nameUnknown: { code: codes.notFound },
  nameMalformed: { code: codes.badParameter, field: 'name' },
  nameDomain: { code: codes.badParameter },
  nameReserved: { code: codes.conflict, field: 'name' },
  nameTaken: { code: codes.conflict, field: 'name' },
  /** The owner of its domain ended it, or it ended with its account: nobody may take it for a year. */
  nameRemoved: { code: codes.conflict, field: 'name' },
  /** Its last holder has the first right to it for a year. */
  nameKept: { code: codes.conflict, field: 'name' },
  alreadyNamed: { code: codes.conflict },
} as const satisfies Refusals
