/**
 * What will happen to an account's money, by doing it: the runners of what is due, one after the other at their
 * moments, in a transaction that is rolled back. Cards are assumed to answer at once. Nothing is left of it: no
 * document, no job, no change.
 */
import { addMonths } from '@atoll/money'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type Accounts, accountNow, type Limits } from '../../accounts/index.ts'
import type { RenewalDeps } from '../renewals/renewal-deps.ts'
import { assumeCards, type Cards } from '../time/assume-cards.ts'
import { runDue } from '../time/due-runner.ts'
import { dueRunners } from '../time/due-runners.ts'
import { findFirstDue } from '../time/due-store.ts'
import { isParked } from '../time/parked-accounts.ts'
import type { UsageDeps } from '../usage/read-usage.ts'

export interface RehearsalDeps extends RenewalDeps, UsageDeps {
  db: Db
  accounts: RenewalDeps['accounts'] & Pick<Accounts, 'lockLimits'>
}

export interface Rehearsal {
  userid: string
  months: number
  cards: Cards
  /** Looked at after each step: enough has happened. */
  isEnough?: (trx: Trx, before: InvoiceIds) => Promise<boolean>
}

export type InvoiceIds = ReadonlySet<string>

class RolledBack extends Error {}

/** Plays the months to come and reads what came of them; `before` are the invoices that there were. */
export async function rehearse<Found>(
  deps: RehearsalDeps,
  rehearsal: Rehearsal,
  read: (trx: Trx, before: InvoiceIds) => Promise<Found>,
): Promise<Found> {
  let found: { value: Found } | undefined
  const playing = deps.db.transaction().execute(async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, rehearsal.userid)
    const before = await listInvoiceIds(trx, rehearsal.userid)
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
  { userid, months, cards, isEnough }: Rehearsal,
  { limits, before }: { limits: Limits; before: InvoiceIds },
): Promise<void> {
  const runners = dueRunners(deps)
  const start = accountNow(limits, deps.clock.now())
  const until = addMonths(start, months, limits.zone)
  // Those that wait for something that another has to bring.
  const waiting = new Set<string>()
  for (let at = start; ; ) {
    await assumeCards(deps, trx, { userid, at, cards })
    if ((await isParked(trx, userid)) || (await isEnough?.(trx, before))) return
    const item = await findFirstDue(trx, { userid, kinds: Object.keys(runners), but: [...waiting] })
    if (!item || item.due_at > until) return
    if (item.due_at > at) at = item.due_at
    const outcome = await runDue(trx, runners, item, { at, limits })
    if (typeof outcome === 'object' && 'parked' in outcome) return
    if (outcome === 'waiting') waiting.add(`${item.kind} ${item.object}`)
    else waiting.clear()
  }
}

async function listInvoiceIds(trx: Trx, userid: string): Promise<InvoiceIds> {
  const rows = await trx.selectFrom('invoices').select('id').where('userid', '=', userid).execute()
  return new Set(rows.map(({ id }) => id))
}
