/** The content of one of our zones: names below a customer's domain, as rows and as setZone takes them. */
import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'

/** Of any record that names no other, s: short, because members' hosts come and go. */
export const defaultTtl = 60

/**
 * Lower-case ASCII labels of 1 to 63 letters, digits, '-' and '_', without a dot at the end, at most 253 characters
 * (RFC 1035, 2.3.4): names are checked here because the packet library writes longer labels as garbage.
 */
export const DnsName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/,
    'must be a name in lower case, of labels of at most 63 letters, digits, - and _',
  )
/** A record's owner: a name, or `*` and a name. */
const Owner = z.string().transform((text, ctx) => {
  const plain = DnsName.safeParse(text.startsWith('*.') ? text.slice(2) : text)
  if (plain.success && text.length <= 253) return text
  ctx.addIssue({ code: 'custom', message: 'must be a name, or "*." and a name' })
  return z.NEVER
})
const Ttl = z.int().min(0).max(86_400).default(defaultTtl)
const Ipv4 = z.string().refine(isIPv4, 'must be an address of IPv4')
const Ipv6 = z
  .string()
  .refine((text) => isIPv6(text) && !text.includes('%'), 'must be an address of IPv6')
  .transform((text) => text.toLowerCase())

/**
 * The preference and the host of a mail server; a dot in place of the host: there is none (RFC 7505). PowerDNS takes no
 * change of a zone with a host that has `_`, which no host name has (RFC 1123, 2.1).
 */
const MailServer = z.string().refine((text) => {
  const [, preference = '', host = ''] = /^(0|[1-9]\d{0,4}) ([^\s_]+)$/.exec(text) ?? []
  return preference !== '' && Number(preference) <= 0xffff && (host === '.' || DnsName.safeParse(host).success)
}, 'must be such as 10 mail.example')
/** Of one text, bytes: keys of mail have about 700. */
const longestText = 2000

/**
 * One record. `value`: an address, a name, a preference and a name of MX, a text, or `flags tag "value"` of CAA (RFC
 * 8659).
 */
export const ZoneRecord = z.discriminatedUnion('type', [
  z.object({ name: Owner, ttl: Ttl, type: z.literal('A'), value: Ipv4 }),
  z.object({ name: Owner, ttl: Ttl, type: z.literal('AAAA'), value: Ipv6 }),
  z.object({ name: Owner, ttl: Ttl, type: z.literal('CNAME'), value: DnsName }),
  z.object({ name: Owner, ttl: Ttl, type: z.literal('MX'), value: MailServer }),
  z.object({
    name: Owner,
    ttl: Ttl,
    type: z.literal('TXT'),
    value: z
      .string()
      .refine(
        (text) => Buffer.byteLength(text) <= longestText && !text.includes('\0'),
        `must have at most ${longestText} bytes`,
      ),
  }),
  z.object({
    name: Owner,
    ttl: Ttl,
    type: z.literal('CAA'),
    value: z.string().regex(/^(0|128) [a-z0-9]{1,15} "[!#-~ ]{0,200}"$/, 'must be such as 0 issue "ca.example"'),
  }),
])
export type ZoneRecord = z.output<typeof ZoneRecord>

/** Whether our name servers can serve a record. */
export function isServable(record: { name: string; type: ZoneRecord['type']; value: string }): boolean {
  return ZoneRecord.safeParse(record).success
}

/** The bytes of a text in the strings of at most 255 that a record is made of (RFC 1035, 3.3.14). */
export function stringsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / 255))
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * 255, (index + 1) * 255))
}

/** All of a zone but its serial, as `setZone` takes it. SOA and NS are made of `nameServers`. */
export const ZoneContent = z
  .object({
    domain: DnsName,
    /** Host names, the first one the primary. */
    nameServers: z.array(DnsName).min(1).max(13),
    records: z.array(ZoneRecord).max(50_000),
  })
  .superRefine(({ domain, records }, ctx) => {
    const add = (index: number, field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: ['records', index, field], message })
    const typesOf = new Map<string, Set<string>>()
    for (const { name, type } of records) typesOf.set(name, (typesOf.get(name) ?? new Set()).add(type))
    const aliases = new Set<string>()
    for (const [index, { name, type }] of records.entries()) {
      if (name !== domain && !name.endsWith(`.${domain}`)) add(index, 'name', `must be ${domain} or below it`)
      if (type !== 'CNAME') continue
      // RFC 1034, 3.6.2: an alias is alone at its name, and a zone's own name has SOA and NS.
      if (name === domain || (typesOf.get(name)?.size ?? 0) > 1 || aliases.has(name))
        add(index, 'type', 'must be the only record of its name, which is not the zone')
      aliases.add(name)
    }
  })
export type ZoneContent = z.output<typeof ZoneContent>
/** As callers write it: a record's `ttl` may be left out. */
export type ZoneInput = z.input<typeof ZoneContent>

/** A zone as it is served. `serial`: its version, which grows with every change, over all zones. */
export const Zone = ZoneContent.safeExtend({ serial: z.int().min(1).max(0xffff_ffff) })
export type Zone = z.output<typeof Zone>

/** The mailbox responsible for the zone (RFC 1035, 3.3.13): that of the operator of the first name server. */
export function hostmasterOf(primary: string): string {
  return `hostmaster.${primary.split('.').slice(1).join('.') || primary}`
}
