import type { Answer } from 'dns-packet'

/**
 * `record` with each NUL in its texts written `\000`, as zone files do (RFC 1035 §5.1): names and strings of DNS may
 * hold any octet, and PostgreSQL refuses this one.
 */
export function escapeNul(record: Answer): Answer {
  if (record.type === 'TXT')
    return { ...record, name: escapeText(record.name), data: [record.data].flat().map(escapePart) }
  return escapeTexts(record) as Answer // the same fields with the same kinds of values
}

const escapeText = (text: string) => text.replaceAll('\0', '\\000')
const escapePart = (part: string | Buffer) => Buffer.from(escapeText(Buffer.from(part).toString('latin1')), 'latin1')

function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapeTexts(inner)]))
}
