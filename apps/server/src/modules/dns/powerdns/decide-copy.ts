/**
 * Decides the next step for a zone's copy in PowerDNS: pure.
 *
 * States   no zone there · ours and as wanted · ours and otherwise (an older version, or changed by somebody) ·
 *          somebody else's of the same name, which is never touched · not known, because it does not answer.
 * Writers  zone-reconcile.ts alone, one run a domain at a time.
 * Repeats  all of it: each run begins by reading the zone there. A run that was killed after a change finds it made.
 */
import { backoffMs } from '@atoll/contract/wire'
import type { RrsetChange } from './rrsets.ts'

export type CopyProblem = 'away' | 'refused' | 'foreign'

export interface CopyFacts {
  now: Date
  /** The serial that is to be served; undefined: the zone is removed. */
  serial: number | undefined
  /** The recorded state of the copy; undefined: nothing was ever written there. */
  copy: { version: number | null; failures: number } | undefined
  seen:
    | { kind: 'absent' }
    /** `changes`: from what is there to what is wanted. */
    | { kind: 'zone'; isOurs: boolean; isPlain: boolean; changes: RrsetChange[] }
    | { kind: 'fault'; problem: CopyProblem; detail: string }
}

export type CopyStep =
  /** `isRepair`: this version had been there, and somebody changed it. */
  | { kind: 'create'; isRepair: boolean }
  | { kind: 'makePlain' }
  | { kind: 'patch'; changes: RrsetChange[]; isRepair: boolean }
  | { kind: 'confirm' }
  | { kind: 'remove' }
  /** Gone here and there. */
  | { kind: 'forget' }
  | { kind: 'fail'; problem: CopyProblem; detail: string; until: Date }

const waits = {
  away: { firstMs: 1000, longestMs: 60_000 },
  refused: { firstMs: 5000, longestMs: 60 * 60_000 },
  foreign: { firstMs: 60_000, longestMs: 60 * 60_000 },
} as const

export function decideCopy({ now, serial, copy, seen }: CopyFacts): CopyStep {
  const fail = (problem: CopyProblem, detail: string): CopyStep => {
    // A whole wait: each zone has a moment of its own already.
    const wait = backoffMs((copy?.failures ?? 0) + 1, waits[problem], () => 1)
    return { kind: 'fail', problem, detail, until: new Date(now.getTime() + wait) }
  }
  if (seen.kind === 'fault') return fail(seen.problem, seen.detail)
  if (serial === undefined) return seen.kind === 'zone' && seen.isOurs ? { kind: 'remove' } : { kind: 'forget' }
  const isRepair = copy?.version === serial
  if (seen.kind === 'absent') return { kind: 'create', isRepair }
  if (!seen.isOurs) return fail('foreign', 'there is a zone of this name that Atoll did not make')
  if (!seen.isPlain) return { kind: 'makePlain' }
  return seen.changes.length > 0 ? { kind: 'patch', changes: seen.changes, isRepair } : { kind: 'confirm' }
}
