import { findOpenReports } from '../modules/abuse/index.ts'
import { findFailingBackups } from '../modules/backups/index.ts'
import { findFailedPayments } from '../modules/billing/index.ts'
import { findStuckClusters } from '../modules/clusters/index.ts'
import { findPausedRollouts } from '../modules/rollouts/index.ts'
import type { AttentionSource } from '../platform/attention/index.ts'
import type { Base } from './modules.ts'

/** The sources of the items that need a person's attention (platform/attention). */
export function composeAttention({ db, clock }: Base): AttentionSource[] {
  return [
    { kind: 'stuckClusters', find: () => findStuckClusters(db, clock.now()) },
    { kind: 'failingBackups', find: () => findFailingBackups(db) },
    { kind: 'failedPayments', find: () => findFailedPayments(db, clock.now()) },
    { kind: 'abuseReports', find: () => findOpenReports(db) },
    { kind: 'pausedRollout', find: () => findPausedRollouts(db) },
  ]
}
