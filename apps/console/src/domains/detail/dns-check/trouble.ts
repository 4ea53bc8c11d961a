/** The most important verdict of a DNS check: pure. */
import type { DomainDetail, DomainVerdict, VerdictKind } from '@atoll/contract/domains'

/** Faults that stop the step, before those that only delay it or are only good to know. */
const order: readonly VerdictKind[] = [
  'dnssecBroken',
  'dsLeft',
  'nameDoubled',
  'noUnderscore',
  'wrongPlace',
  'proxied',
  'ownAddress',
  'wrongValue',
  'otherServers',
  'serversDisagree',
  'missing',
  'refused',
  'lame',
  'noAnswer',
  'caaForbids',
  'stillCached',
  'quoted',
]

/** The verdict that the page explains; undefined when all is as it should be, or nothing was checked. */
export function troubleOf({ look }: Pick<DomainDetail, 'look'>): DomainVerdict | undefined {
  const { passed, verdicts } = look
  const isRelevant = ({ kind, side }: DomainVerdict) => {
    if (kind === 'match') return false
    // It passed: a resolver that still has an old answer stops nothing.
    if (passed) return kind === 'caaForbids' || kind === 'quoted'
    return side === 'parent' || kind === 'dnssecBroken' || kind === 'caaForbids'
  }
  const relevant = verdicts.filter(isRelevant)
  // No server of the parent can be asked: what resolvers say is all there is.
  const all = relevant.length > 0 || passed ? relevant : verdicts.filter(({ kind }) => kind !== 'match')
  return all.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))[0]
}

/** The change that a person has to make, or only has to wait for. */
export function toneOf(kind: VerdictKind): 'coral' | 'amber' | 'neutral' {
  switch (kind) {
    case 'dnssecBroken':
    case 'dsLeft':
    case 'nameDoubled':
    case 'noUnderscore':
    case 'wrongPlace':
    case 'proxied':
    case 'ownAddress':
    case 'wrongValue':
    case 'otherServers':
      return 'coral'
    case 'missing':
    case 'quoted':
    case 'match':
      return 'neutral'
    default:
      return 'amber'
  }
}
