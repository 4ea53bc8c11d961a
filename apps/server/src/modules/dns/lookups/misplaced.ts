/** Where a record that is absent may have been put instead: pure. */
import type { VerdictKind } from '@atoll/contract/domains'
import { fitOf, type WantedRecord } from './judge.ts'

interface Misplacement {
  at: string
  kind: Extract<VerdictKind, 'nameDoubled' | 'noUnderscore' | 'wrongPlace'>
}

/** The longest name, characters (RFC 1035). */
const longestName = 253

/** Names to ask for the record, the likeliest first; `zone` is the one that it belongs in, '' where nobody knows. */
export function misplacements({ type, name }: WantedRecord, zone: string): Misplacement[] {
  const bare = name.replace(/^(\*\.|_)/, '')
  const above = name.slice(name.indexOf('.') + 1)
  const places: Misplacement[] = []
  // A panel appends the zone to the name that is typed.
  if (zone !== '') places.push({ at: `${name}.${zone}`, kind: 'nameDoubled' })
  if (type === 'TXT' && bare !== name) places.push({ at: bare, kind: 'noUnderscore' })
  if (type === 'CNAME' && bare !== name) places.push({ at: bare, kind: 'wrongPlace' })
  if (type === 'TXT' && above !== zone) places.push({ at: above, kind: 'wrongPlace' })
  if (zone !== '' && type !== 'CNAME') places.push({ at: zone, kind: 'wrongPlace' })
  return places.filter(({ at }) => at.length <= longestName)
}

/** Whether these values, which stand elsewhere, are those of the record; of name servers one is enough. */
export function hasWanted(wanted: WantedRecord, values: readonly string[]): boolean {
  if (wanted.type === 'NS') return wanted.servers.some((server) => values.includes(server))
  const fit = fitOf(wanted, { kind: 'values', values: [...values], ttl: 0 })
  return fit === 'match' || fit === 'quoted'
}

/** Name servers of a provider that answers with its own addresses for what it proxies. */
export function isProxy(server: string): boolean {
  return /\.(ns\.cloudflare\.com|bunny\.net|akam\.net|fastly\.net)$/.test(server)
}
