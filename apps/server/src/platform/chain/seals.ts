/**
 * Seals: where a chain ended, under the deployment's secret key, which the database does not know. Who writes a whole
 * chain anew, with the rights of a superuser, still cannot make these.
 */
import { equalSecrets, type Sealer } from '../crypto.ts'
import { defineTimedJob, type Job, type JobContext } from '../jobs/index.ts'
import type { Mark } from './chain-walk.ts'

/** The seal on `head` of the chain that `chain` names. */
export function sealOf(sealer: Sealer, chain: string, { seq, hash }: Mark): string {
  return sealer.derive(`${chain} seal ${seq} ${hash}`)
}

/** Whether `mac` was made with this deployment's key for this head of this chain. */
export function isSealOf(sealer: Sealer, chain: string, head: Mark, mac: string): boolean {
  return equalSecrets(mac, sealOf(sealer, chain, head))
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
