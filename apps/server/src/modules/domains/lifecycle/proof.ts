/**
 * The lifetime of a proof (design/domains, "Whose domain"): while its own record is seen. One exception keeps a proof
 * and never makes one: at an apex that is delegated here our zone hides the record, and the delegation counts instead.
 */
import type { DomainDeps, LookupResult } from '../domain-deps.ts'
import type { DomainRow } from '../records/domain-store.ts'
import { wantedProof } from './awaited.ts'
import { proofKeptMs } from './domain-checks.ts'

/** Whether DNS shows a claim's control of its name now. `unknown`: nobody answered, which changes nothing. */
export type Sight = 'seen' | 'unseen' | 'unknown'

/** For so long what was seen of a claim is taken for what is there now, ms. */
const freshMs = 10 * 60_000

export function isFresh(seenAt: Date | null, now: Date): boolean {
  return seenAt !== null && now.getTime() - seenAt.getTime() < freshMs
}

/** Of a claim without a proof. */
export const unproven = { proven_at: null, unseen_since: null } as const

/** Whether what is asked of the name comes to our own servers once it is delegated, which answer no such record. */
export function isHidden(row: Pick<DomainRow, 'is_apex' | 'method'>): boolean {
  return row.is_apex && row.method === 'ns'
}

/** As `unseen_since`: the next check decides, without any more time. */
export function lapsesNow(now: Date): Date {
  return new Date(now.getTime() - proofKeptMs)
}

/** When a claim that shows nothing any more lapses. */
export function lapseOf(unseenSince: Date): Date {
  return new Date(unseenSince.getTime() + proofKeptMs)
}

export function sightOf({ passed, answered }: Pick<LookupResult, 'passed' | 'answered'>): Sight {
  if (passed) return 'seen'
  return answered ? 'unseen' : 'unknown'
}

/** Whether the claim's own record is there. */
export async function seeRecord({ dns }: Pick<DomainDeps, 'dns'>, row: DomainRow): Promise<Sight> {
  return sightOf(await dns.lookUp({ domain: row.name, want: wantedProof(row) }))
}

/** Whether a claim that is not bound has control; `delegation`: what a look at its NS records found just now. */
export async function seeControl(
  deps: Pick<DomainDeps, 'dns'>,
  row: DomainRow,
  delegation: LookupResult,
): Promise<Sight> {
  if (isHidden(row) && leadsHere(delegation)) return 'seen'
  const record = await seeRecord(deps, row)
  return record === 'unseen' && isHidden(row) && !delegation.answered ? 'unknown' : record
}

/** The parent's servers name ours, whatever else is wrong with the delegation. */
function leadsHere({ passed, verdicts }: LookupResult): boolean {
  const named = verdicts.filter(({ side, type }) => side === 'parent' && type === 'NS')
  return passed || named.some(({ kind }) => kind === 'match' || kind === 'otherServers')
}

/** The row's changes after a lookup: none, where there was no lookup or nobody answered. */
export function noteSight(row: Pick<DomainRow, 'unseen_since'>, sight: Sight | undefined, now: Date) {
  if (sight === 'seen') return { unseen_since: null }
  return sight === 'unseen' ? { unseen_since: row.unseen_since ?? now } : {}
}
