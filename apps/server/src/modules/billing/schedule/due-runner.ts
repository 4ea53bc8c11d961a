/**
 * Scheduled billing: items with a due moment on their account's clock, processed one per transaction in the order of
 * those moments, under the account's lock.
 *
 *   due ─runner: done─▶ gone · next─▶ due later · waiting─▶ run again in a minute · threw─▶ retried with backoff
 *     └─parked─▶ stays, with all of the account, until `npm run admin -- unpark`
 *
 * Writers: orders, renewals and promotional credit schedule items, only runners drop them. A run that is killed leaves
 * no changes and is repeated; one that fails delays no other item.
 */
import { backoffMs } from '@atoll/contract/wire'
import { findHold, type Waits } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import { type DueRow, dropDue, findNextDue, retryDue, scheduleDue } from './due-store.ts'
import { parkAccount } from './parked-accounts.ts'

/** Input of a runner. */
export interface Due {
  userid: string
  object: string
  /** When it was due, and what the account's clock shows now: later, after an outage. */
  dueAt: Date
  at: Date
  limits: Limits
}

/** `waiting`: for a payment that a card may have made. `parked`: why the operator has to check first. */
export type DueOutcome = 'done' | 'waiting' | { next: Date } | { parked: string }
/** Must be safe to repeat, and finds its object in any state. */
export type DueRunner = (trx: Trx, due: Due) => Promise<DueOutcome>
export type DueRunners = Readonly<Record<string, DueRunner>>

export interface DueDeps {
  db: Db
  clock: Clock
  accounts: Pick<Accounts, 'lockLimits'>
  /** Compares the clock. */
  beforeDue?: () => Promise<void>
}

const waitMs = 60_000
const backoff = { firstMs: 60_000, longestMs: 6 * 60 * 60_000 }

/** Whose items are run, and what each of them waits for: it is asked before each one, not once for all. */
export interface DueRun {
  userid: string
  waits: Extract<Waits, 'careful' | 'deadline'>
  log: Log
}

/** Runs what is due first of an account; false when nothing is, or it has to wait. */
export async function runNextDue(deps: DueDeps, runners: DueRunners, { userid, waits, log }: DueRun): Promise<boolean> {
  // Many items take a while, in which the clock may jump.
  await deps.beforeDue?.()
  const now = deps.clock.now()
  let item: DueRow | undefined
  let account: string | undefined
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const limits = await deps.accounts.lockLimits(trx, userid)
      account = limits.accountId
      item = await findNextDue(trx, { userid, kinds: Object.keys(runners), now })
      if (!item) return false
      if (await findHold(trx, { waits, source: 'gateway', dueAt: item.wall_at })) return false
      const outcome = await runDue(trx, runners, item, { at: accountNow(limits, now), limits })
      if (isParking(outcome)) {
        log.error({ account, kind: item.kind, object: item.object, why: outcome.parked }, 'an account is parked')
        await parkAccount(trx, { userid, parkedAt: now, why: outcome.parked })
      }
      if (outcome === 'waiting') await retryDue(trx, item, { retryAt: new Date(now.getTime() + waitMs), failures: 0 })
      return true
    })
  } catch (error) {
    if (!item) throw error
    const failures = item.failures + 1
    log.error({ err: error, account, kind: item.kind, object: item.object, failures }, 'what was due failed')
    await retryDue(deps.db, item, { retryAt: new Date(now.getTime() + backoffMs(failures, backoff)), failures })
    return true
  }
}

function isParking(outcome: DueOutcome): outcome is { parked: string } {
  return typeof outcome === 'object' && 'parked' in outcome
}

/** Runs one item and writes what comes of it; one that waits stays as it is. */
export async function runDue(
  trx: Trx,
  runners: DueRunners,
  item: DueRow,
  { at, limits }: { at: Date; limits: Limits },
): Promise<DueOutcome> {
  const { userid, kind, object, due_at } = item
  const runner = runners[kind]
  if (!runner) throw new Error(`Nothing runs what is due as ${kind}.`)
  const outcome = await runner(trx, { userid, object, dueAt: due_at, at, limits })
  if (outcome === 'done') await dropDue(trx, item)
  else if (outcome !== 'waiting' && !isParking(outcome))
    await scheduleDue(trx, { userid, kind, object, dueAt: outcome.next })
  return outcome
}
