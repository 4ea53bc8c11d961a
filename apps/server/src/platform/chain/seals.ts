/**
 * Seals: where a chain ended, signed with the deployment's secret key, which the database does not know. An attacker
 * who rewrites a whole chain with a superuser's rights still cannot make these.
 */
import type { Sealer } from '../crypto.ts'
import { defineTimedJob, type Job, type JobContext } from '../jobs/index.ts'
import type { DerivedUse } from '../key-uses.ts'
import type { Mark } from './chain-walk.ts'

/** The chain that a seal is on, among those of its kind. */
export interface SealedChain {
  use: Extract<DerivedUse, 'audit' | 'audit records' | 'ledger'>
  of?: string
}

function textOf({ of }: SealedChain, { seq, hash }: Mark): string {
  return `${of === undefined ? '' : `${of} `}seal ${seq} ${hash}`
}

/** The seal on `head` of the chain that `chain` names. */
export function sealOf(sealer: Sealer, chain: SealedChain, { seq, hash }: Mark): string {
  return sealer.derive(chain.use, textOf(chain, { seq, hash }))
}

/** Whether `mac` was made with this deployment's key for this head of this chain. */
export function isSealOf(sealer: Sealer, chain: SealedChain, head: Mark, mac: string): boolean {
  return sealer.accepts(chain.use, textOf(chain, head), mac)
}

/** A job that seals, every minute, the heads that moved. `seal` must be safe to repeat. */
export function defineSealJob(name: string, seal: (context: JobContext) => Promise<void>): Job {
  return defineTimedJob({
    name,
    lane: 'own',
    waits: 'never',
    cron: '* * * * *',
    run: (context) => seal(context),
  })
}
