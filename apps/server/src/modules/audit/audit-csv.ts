/** Records as CSV (RFC 4180), made for spreadsheets: every field quoted, none of them taken for a formula. */
import type { AuditRecord } from '@atoll/contract/audit'

/** Tells Excel that the text is UTF-8; without it Chinese names are garbled. */
const byteOrderMark = '\uFEFF'

const columns: Record<string, (record: AuditRecord) => string | number | null> = {
  number: (record) => record.seq,
  time: (record) => record.at,
  actor: (record) => record.actor?.userid ?? 'system',
  'actor ID': (record) => record.actor?.terminusName ?? null,
  session: (record) => record.sessionId,
  address: (record) => record.ip,
  action: (record) => record.action,
  object: (record) => record.object.id,
  'object name': (record) => record.object.name,
  owner: (record) => record.object.owner.userid,
  'owner ID': (record) => record.object.owner.terminusName,
  before: (record) => record.before && JSON.stringify(record.before),
  after: (record) => record.after && JSON.stringify(record.after),
}

export function csvHead(): string {
  return `${byteOrderMark}${Object.keys(columns).map(field).join(',')}\r\n`
}

export function csvLine(record: AuditRecord): string {
  return `${Object.values(columns)
    .map((read) => field(read(record)))
    .join(',')}\r\n`
}

/** A spreadsheet runs what begins like a formula; an apostrophe before it makes it text. */
function field(value: string | number | null): string {
  const text = String(value ?? '')
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}
