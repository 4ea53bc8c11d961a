/** Whether what was seen of a record in DNS is what is wanted, and what is wrong with it: pure. */
import type { DomainVerdict } from '@atoll/contract/domains'
import type { Result } from './read-reply.ts'

/** One record as it should be. */
export type WantedRecord =
  | { type: 'TXT'; name: string; value: string }
  | { type: 'NS'; name: string; servers: readonly string[] }
  | { type: 'CNAME'; name: string; target: string }

/** One server's answer. */
export interface Seen {
  server: string
  side: 'parent' | 'resolver'
  /** The parent's, where it is known. */
  zone?: string | undefined
  result: Result
  /** A DS record beside the delegation. */
  hasDs?: boolean
}

export interface LookupResult {
  passed: boolean
  /** A server of the parent's said whether the record is there; false: silence, which tells nothing. */
  answered: boolean
  verdicts: DomainVerdict[]
}

export type Fit = 'match' | 'quoted' | 'missing' | 'otherServers' | 'wrongValue'
type Finding = Pick<DomainVerdict, 'kind'> & Partial<DomainVerdict>

/** Letters that may be wrong for a value to be called nearly right. */
const nearby = 2
/** As the contract allows. */
const [mostFound, longestFound] = [20, 600]

/**
 * Passed: all of the parent's servers that answer have it, at least one does, and no resolver calls it bogus. Values
 * that caches still hold delay nothing.
 */
export function judge(wanted: WantedRecord, seen: readonly Seen[]): LookupResult {
  const answering = seen.filter(({ side, result }) => side === 'parent' && isAnswer(result))
  const having = answering.filter(({ result }) => isGood(fitOf(wanted, result)))
  const agrees = answering.length > 0 && having.length === answering.length
  const isBogus = seen.some(({ side, result }) => side === 'resolver' && result.kind === 'bogus')
  const hasDs = seen.some((one) => one.hasDs)
  const verdicts = seen.flatMap((one) => {
    const base = {
      server: one.server.slice(0, 300),
      side: one.side,
      name: wanted.name,
      type: wanted.type,
      ...(one.zone && { zone: one.zone }),
    }
    const finding = findingOf(wanted, one, { agrees, have: having.length, of: answering.length })
    return [{ ...base, ...finding }, ...(one.hasDs ? [{ ...base, type: 'DS', kind: 'dsLeft' as const }] : [])]
  })
  return { passed: agrees && !isBogus && !hasDs, answered: answering.length > 0, verdicts }
}

const isAnswer = ({ kind }: Result) => kind === 'values' || kind === 'absent'
const isGood = (fit: Fit) => fit === 'match' || fit === 'quoted'

interface Agreement {
  /** All parent's servers that answer have the record. */
  agrees: boolean
  have: number
  of: number
}

function findingOf(wanted: WantedRecord, { side, result }: Seen, { agrees, have, of }: Agreement): Finding {
  if (result.kind === 'bogus')
    return { kind: 'dnssecBroken', ...(result.extendedError !== undefined && { extendedError: result.extendedError }) }
  if (result.kind !== 'values' && result.kind !== 'absent') return { kind: result.kind }
  const fit = fitOf(wanted, result)
  const found = result.kind === 'values' ? toFound(result.values) : {}
  if (isGood(fit)) return { kind: fit, ...(fit === 'quoted' && found) }
  if (side === 'resolver' && agrees)
    return { kind: 'stillCached', ...found, ...(result.ttl !== undefined && { clearsIn: result.ttl }) }
  if (side === 'parent' && have > 0) return { kind: 'serversDisagree', ...found, agree: { have, of } }
  if (result.kind === 'absent' && result.instead) {
    const { kind, found: values } = result.instead
    return { kind, ...(values && toFound(values)) }
  }
  const isNear = result.kind === 'values' && fit === 'wrongValue' && isNearly(wanted, result.values)
  return { kind: fit, ...found, ...(isNear && { nearly: true }) }
}

const toFound = (values: readonly string[]) => ({
  found: values.slice(0, mostFound).map((value) => value.slice(0, longestFound).toWellFormed()),
})

export function fitOf(wanted: WantedRecord, result: Result): Fit {
  if (result.kind !== 'values') return 'missing'
  const { values } = result
  if (wanted.type === 'CNAME') return values.includes(wanted.target) ? 'match' : 'wrongValue'
  if (wanted.type === 'TXT') {
    if (values.includes(wanted.value)) return 'match'
    return values.map(unquote).includes(wanted.value) ? 'quoted' : 'wrongValue'
  }
  const ours = wanted.servers.filter((server) => values.includes(server))
  const others = values.filter((value) => !wanted.servers.includes(value))
  if (ours.length === 0) return 'wrongValue'
  if (others.length > 0) return 'otherServers'
  return ours.length === wanted.servers.length ? 'match' : 'missing'
}

/** Without the quotes and blanks that panels of registrars and people add. */
function unquote(text: string): string {
  return text.replace(/^[\s"'“”„]+|[\s"'“”„]+$/g, '')
}

function isNearly(wanted: WantedRecord, values: readonly string[]): boolean {
  const right = wanted.type === 'TXT' ? [wanted.value] : wanted.type === 'NS' ? wanted.servers : [wanted.target]
  return values.some((value) => right.some((one) => distance(unquote(value), one) <= nearby))
}

/** Letters to add, drop or change (Levenshtein); more than `nearby` is not counted on. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > nearby) return nearby + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= b.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
