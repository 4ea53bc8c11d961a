/** Reads a record as people and DNS panels write it. Pure. */
import type { OwnRecord, TypedRecord } from '@atoll/contract/domains'
import { isServable } from '../../dns/index.ts'

export type OwnRecordFault =
  | { fault: 'ownRecordName'; params: { domain: string } }
  | { fault: 'ownRecordValue'; params: { recordType: string; name: string; example: string } }

const examples: Record<OwnRecord['type'], string> = {
  MX: '10 mail.example.com',
  TXT: 'v=spf1 include:example.com -all',
  CAA: '0 issue "ca.example.com"',
  CNAME: 'key1.example.com',
}

export const isOwnRecordFault = (read: OwnRecord | OwnRecordFault): read is OwnRecordFault => 'fault' in read

/** A record in full, in the one form in which it is kept and compared; or what is wrong with it. */
export function parseOwnRecord(domain: string, typed: TypedRecord): OwnRecord | OwnRecordFault {
  const { type } = typed
  const name = fullName(domain, typed.name)
  // Hosts of clusters have the names without an underscore, and an alias cannot stand at the domain itself.
  const isOurs = name.startsWith('_acme-challenge.') || name.startsWith('_atoll-')
  const isHosts =
    name !== domain &&
    !name
      .slice(0, -domain.length - 1)
      .split('.')
      .some((label) => label.startsWith('_'))
  if (isOurs || isHosts || !isName(name) || (type === 'CNAME' && name === domain))
    return { fault: 'ownRecordName', params: { domain } }
  const record = { type, name, value: readValue(type, typed.value.trim()) }
  if (record.value !== '' && isServable(record)) return record
  return { fault: 'ownRecordValue', params: { recordType: type, name, example: examples[type] } }
}

/** Whether DNS can be asked for it. */
export function isName(name: string): boolean {
  return isServable({ name, type: 'TXT', value: '' })
}

/** The name in full, of the part in front of the domain or of the whole. */
export function fullName(domain: string, typed: string): string {
  const name = typed.trim().toLowerCase().replace(/\.$/, '')
  if (name === '' || name === '@' || name === domain) return domain
  return name.endsWith(`.${domain}`) ? name : `${name}.${domain}`
}

function readValue(type: OwnRecord['type'], value: string): string {
  switch (type) {
    case 'MX': {
      const [preference = '', host = '', ...more] = value.toLowerCase().split(/\s+/)
      return [preference, host === '.' ? host : host.replace(/\.$/, ''), ...more].join(' ')
    }
    case 'CNAME':
      return value.toLowerCase().replace(/\.$/, '')
    case 'CAA':
      return value.replace(
        /^(\d+)\s+(\w+)\s+"?([^"]*)"?$/,
        (_, flags, tag: string, text) => `${flags} ${tag.toLowerCase()} "${text}"`,
      )
    case 'TXT':
      // Panels show a text as its strings between quotes. The result is read as the same again, as it is removed so.
      return /^"[^"]*"(?:\s+"[^"]*")*$/.test(value)
        ? [...value.matchAll(/"([^"]*)"/g)]
            .map(([, part]) => part)
            .join('')
            .trim()
        : value
  }
}
