/** Refusals of calls about custom domains. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { memberRefusals } from './member-refusals.ts'
import { transferRefusals } from './transfer-refusals.ts'

export const domainsRefusals = {
  ...memberRefusals,
  ...transferRefusals,
  domainMissing: { code: codes.badParameter, field: 'domain' },
  domainIsAddress: { code: codes.badParameter, field: 'domain' },
  domainIsNumber: { code: codes.badParameter, field: 'domain' },
  domainSingleLabel: { code: codes.badParameter, field: 'domain' },
  domainLetters: { code: codes.badParameter, field: 'domain' },
  domainLabelLong: { code: codes.badParameter, field: 'domain' },
  domainLong: { code: codes.badParameter, field: 'domain' },
  domainReserved: { code: codes.badParameter, field: 'domain' },
  domainPublicSuffix: { code: codes.badParameter, field: 'domain' },
  domainOurs: { code: codes.conflict, field: 'domain' },
  domainDidNamed: { code: codes.conflict },
  domainTooMany: { code: codes.conflict },
  domainParentProven: { code: codes.conflict, field: 'domain' },
  domainChildProven: { code: codes.conflict, field: 'domain' },
  domainConfirm: { code: codes.badParameter, field: 'confirm' },
  domainNoNameServers: { code: codes.conflict, field: 'method' },
  ownRecordName: { code: codes.badParameter, field: 'name' },
  ownRecordValue: { code: codes.badParameter, field: 'value' },
  ownRecordAlias: { code: codes.conflict, field: 'name' },
  ownRecordsFull: { code: codes.conflict },
  ownRecordsElsewhere: { code: codes.conflict },
  certificateStays: { code: codes.conflict, field: 'name' },
  domainNotNow: { code: codes.conflict },
  domainUnseen: { code: codes.conflict },
  adminNameMalformed: { code: codes.badParameter, field: 'admin_olares_id' },
  suffixMissing: { code: codes.badParameter, field: 'ruleData' },
  suffixTooMany: { code: codes.badParameter, field: 'ruleData' },
  suffixMalformed: { code: codes.badParameter, field: 'ruleData' },
  suffixPublic: { code: codes.badParameter, field: 'ruleData' },
} as const satisfies Refusals
