import { findOpenReports } from '../modules/abuse/index.ts'
import { findHoldsToDecide } from '../modules/accounts/index.ts'
import { findFailingBackups } from '../modules/backups/index.ts'
import {
  findBrokenBooks,
  findFailedPayments,
  findFailedRefunds,
  findLateRefunds,
  findLostCaptures,
  findOpenDisputes,
  findUnknownPayments,
} from '../modules/billing/index.ts'
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
    { kind: 'waitingHolds', find: () => findHoldsToDecide(db, clock.now()) },
    { kind: 'abuseReports', find: () => findOpenReports(db) },
    { kind: 'pausedRollout', find: () => findPausedRollouts(db) },
    { kind: 'openDisputes', find: () => findOpenDisputes(db, clock.now()) },
    { kind: 'unknownPayments', find: () => findUnknownPayments(db, clock.now()) },
    { kind: 'failedRefunds', find: () => findFailedRefunds(db, clock.now()) },
    { kind: 'lateRefunds', find: () => findLateRefunds(db, clock.now()) },
    { kind: 'lostCaptures', find: () => findLostCaptures(db) },
    { kind: 'brokenBooks', find: () => findBrokenBooks(db) },
  ]
}
