import type { AuditRecord } from '@atoll/contract/audit'
import type { CsvColumns } from '../../platform/paging/index.ts'

/** A record's fields in an export. */
export const auditColumns: CsvColumns<AuditRecord> = {
  number: (record) => record.seq,
  time: (record) => record.at,
  actor: (record) => record.actor?.userid ?? (record.isErased ? 'erased' : 'system'),
  'actor ID': (record) => record.actor?.terminusName ?? null,
  session: (record) => record.sessionId,
  address: (record) => record.ip,
  action: (record) => record.action,
  object: (record) => record.object.id,
  'object name': (record) => record.object.name,
  owner: (record) => record.object.owner?.userid ?? null,
  'owner ID': (record) => record.object.owner?.terminusName ?? null,
  before: (record) => record.before && JSON.stringify(record.before),
  after: (record) => record.after && JSON.stringify(record.after),
}
