/**
 * Forecasts an account's money by running its due items, one after the other at their moments, in a transaction that is
 * rolled back. Cards are assumed to answer at once. No document, job or change remains.
 */
import { addMonths } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import type { RenewalDeps } from '../renewals/renewal-deps.ts'
import { runDue } from '../schedule/due-runner.ts'
import { findFirstDue } from '../schedule/due-store.ts'
import { isParked } from '../schedule/parked-accounts.ts'
import { scheduleUsageLimit } from '../usage/bill-usage.ts'
import type { WarningDeps } from '../usage/notices/warning-mails.ts'
import type { UsageDeps } from '../usage/read-usage.ts'
import { assumeCards, type Cards } from './assume-cards.ts'
import { type AssumedUsage, assumeUsage } from './assume-usage.ts'
import { dueRunners } from './due-runners.ts'
import { foreseeLimit } from './foresee-limit.ts'
import { foreseeWarnings } from './foresee-warnings.ts'

export interface RehearsalDeps extends RenewalDeps, UsageDeps, Pick<WarningDeps, 'catalog' | 'listClusterOwners'> {
  db: Db
  accounts: RenewalDeps['accounts'] & Pick<Accounts, 'lockLimits' | 'getLimits'>
}

export interface Rehearsal {
  userid: string
  months: number
  cards: Cards
  /** Usage from now on; absent: none. */
  usage?: AssumedUsage
  /** Whether the mails of usage that nears a quota or the cap are written too. */
  warns?: boolean
  /** Looked at after each step: enough has happened. */
  isEnough?: (trx: Trx, before: Known) => Promise<boolean>
}

/** Ids of invoices and keys of mails that there were before anything was played. */
export interface Known {
  invoices: ReadonlySet<string>
  mails: ReadonlySet<string>
}

class RolledBack extends Error {}

/** Plays the months to come and reads what came of them. */
export async function rehearse<Found>(
  deps: RehearsalDeps,
  rehearsal: Rehearsal,
  read: (trx: Trx, before: Known) => Promise<Found>,
): Promise<Found> {
  let found: { value: Found } | undefined
  const playing = deps.db.transaction().execute(async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, rehearsal.userid)
    const before = await listKnown(trx, rehearsal.userid)
    await play(deps, trx, rehearsal, { limits, before })
    found = { value: await read(trx, before) }
    throw new RolledBack('as every rehearsal is')
  })
  await playing.catch((error) => {
    if (!(error instanceof RolledBack)) throw error
  })
  if (!found) throw new Error('A rehearsal found nothing')
  return found.value
}

async function play(
  deps: RehearsalDeps,
  trx: Trx,
  { userid, months, cards, usage = {}, warns, isEnough }: Rehearsal,
  { limits, before }: { limits: Limits; before: Known },
): Promise<void> {
  const start = accountNow(limits, deps.clock.now())
  let at = start
  // Rows are stamped with the simulated time.
  const clock = { now: () => new Date(at.getTime() - limits.clockOffsetMs) }
  const since = clock.now()
  const metersAt = (clock: Clock) => assumeUsage(deps.meters, usage, { since, clock })
  const played: RehearsalDeps = {
    ...deps,
    clock,
    meters: metersAt(clock),
    // That it would be written is known by its key.
    mail: { post: async () => 'ml_foreseen' },
  }
  const runners = dueRunners(played)
  const grows = Object.values(usage).some((each) => each > 0n)
  const watched = { userid, limits, sent: before.mails, grows }
  const warnings = warns && (await foreseeWarnings({ ...played, metersAt }, trx, watched))
  const findLimit = foreseeLimit({ ...played, metersAt }, trx, { userid, limits, grows })
  const until = addMonths(start, months, limits.zone)
  // Those that wait for something that another has to bring.
  const waiting = new Set<string>()
  for (;;) {
    await assumeCards(played, trx, { userid, at, cards })
    if ((await isParked(trx, userid)) || (await isEnough?.(trx, before))) return
    const findNext = () => findFirstDue(trx, { userid, kinds: Object.keys(runners), but: [...waiting] })
    let item = await findNext()
    const limitAt = await findLimit(at, item && item.due_at < until ? item.due_at : until)
    if (limitAt) {
      await scheduleUsageLimit(trx, userid, limitAt)
      item = await findNext()
    }
    if (warnings) await warnings.warn(at, item && item.due_at < until ? item.due_at : until)
    if (!item || item.due_at > until) return
    if (item.due_at > at) at = item.due_at
    const outcome = await runDue(trx, runners, item, { at, limits })
    if (typeof outcome === 'object' && 'parked' in outcome) return
    if (outcome === 'waiting') waiting.add(`${item.kind} ${item.object}`)
    else waiting.clear()
  }
}

async function listKnown(trx: Trx, userid: string): Promise<Known> {
  const invoices = await trx.selectFrom('invoices').select('id').where('userid', '=', userid).execute()
  const mails = await trx.selectFrom('billing_mails').select('key').where('userid', '=', userid).execute()
  return { invoices: new Set(invoices.map(({ id }) => id)), mails: new Set(mails.map(({ key }) => key)) }
}
