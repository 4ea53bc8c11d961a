/**
 * The next bill of an account that owes nothing: a fold of the renewals' pure decisions over what falls due, in a
 * snapshot of the database. Nothing is locked and nothing is written, because pages ask for it with every change.
 *
 *   what does nothing while nothing is owed: passed over · a renewal: loaded, decided, and the first that charges is
 *   split as its first try would split it · anything else that comes first, or a bill that its first try does not pay:
 *   left to a rehearsal
 */
import type { ForecastInvoice, upcomingInvoice } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import { addMonths } from '@atoll/money'
import { type Db, inSnapshot, type Trx } from '../../../platform/db/index.ts'
import { accountNow, type Limits } from '../../accounts/index.ts'
import { readMeans } from '../pay/begin-payment.ts'
import { loadBillCard } from '../pay/other-card.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import { owesNothing } from '../records/documents/invoice-store.ts'
import { decideRenewal, keyOf, type RenewalStep } from '../renewals/decide-renewal.ts'
import { decidePay } from '../renewals/decide-try.ts'
import { loadRenewal } from '../renewals/load-renewal.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { Due } from '../schedule/due-runner.ts'
import { type DueRow, listDue } from '../schedule/due-store.ts'
import { isParked } from '../schedule/parked-accounts.ts'
import { assumeUsage } from './assume-usage.ts'
import { forecastInvoice, listIssued, listPayments, readIssued } from './forecast.ts'
import { foreseeLimit } from './foresee-limit.ts'
import { type Known, type RehearsalDeps, rehearse } from './rehearse.ts'
import type { Rehearsals } from './share-rehearsals.ts'

/** Everything renews monthly, so that a bill comes within a month, or none does. */
const upcomingMonths = 2

/** They do nothing while no bill is open, or move no money but credit that has expired, which pays nothing anyway. */
const idle: ReadonlySet<string> = new Set([
  dueKinds.orderLapse,
  dueKinds.promoExpiry,
  dueKinds.renewalTry,
  dueKinds.graceOver,
  dueKinds.lapseMail,
  dueKinds.renewalMail,
  dueKinds.graceMail,
])

interface Asked {
  userid: string
  locale: Locale
}

/** The next bill as it would be issued. */
export async function foreseeNext(
  deps: RehearsalDeps,
  asked: Asked,
  { share }: Rehearsals,
): Promise<CallData<typeof upcomingInvoice>> {
  const upcoming = await decideNext(deps, asked)
  if (upcoming !== undefined) return { upcoming }
  return await share({ userid: asked.userid, what: `next ${asked.locale}` }, () => rehearseNext(deps, asked))
}

/** The same of any account, as it would come: with its lock held. */
export async function rehearseNext(
  deps: RehearsalDeps,
  { userid, locale }: Asked,
): Promise<CallData<typeof upcomingInvoice>> {
  const isEnough = async (trx: Trx, before: Known) => {
    const [first] = await listIssued(trx, userid, before)
    return first !== undefined && (first.state !== 'open' || (await listPayments(trx, [first.id])).length > 0)
  }
  return await rehearse(deps, { userid, months: upcomingMonths, cards: 'pay', isEnough }, async (trx, before) => {
    const [first] = await readIssued(trx, userid, before, locale)
    return { upcoming: first?.json ?? null }
  })
}

/** Null: no bill comes; undefined: only a rehearsal knows. */
export async function decideNext(
  deps: RehearsalDeps,
  { userid, locale }: Asked,
): Promise<ForecastInvoice | null | undefined> {
  return await inSnapshot(deps.db, async (db) => {
    if (await isParked(db, userid)) return null
    if (!(await owesNothing(db, userid))) return undefined
    const limits = await deps.accounts.getLimits(db, userid)
    const found = await findNext(deps, db, { userid, limits })
    return found && (await jsonOf(deps, db, found, locale))
  })
}

interface Found {
  due: Due
  step: Extract<RenewalStep, { does: 'renew' }>
}

async function findNext(
  deps: RehearsalDeps,
  db: Trx,
  { userid, limits }: { userid: string; limits: Limits },
): Promise<Found | null | undefined> {
  const since = deps.clock.now()
  let at = accountNow(limits, since)
  const until = addMonths(at, upcomingMonths, limits.zone)
  const metersAt = (clock: RehearsalDeps['clock']) => assumeUsage(deps.meters, {}, { since, clock })
  const findLimit = foreseeLimit({ ...deps, metersAt }, db, { userid, limits, grows: false })
  const ahead = await listDue(db, userid)
  for (let item = ahead.shift(); item && item.due_at <= until; item = ahead.shift()) {
    if (await findLimit(at, item.due_at)) return undefined
    if (item.due_at > at) at = item.due_at
    if (idle.has(item.kind)) continue
    if (item.kind !== dueKinds.renewal) return undefined
    const due = { userid, object: item.object, dueAt: item.due_at, at, limits }
    const step = decideRenewal(await loadRenewal(deps, db, due), due)
    if (step.does === 'park') return null
    if (step.does === 'again') putInOrder(ahead, { ...item, due_at: step.at })
    if (step.does !== 'renew') continue
    const isFirst = step.basket.gross.minor > 0 && !ahead.some((other) => comesBeforeTry(other, step, at))
    return isFirst ? { due, step } : undefined
  }
  return (await findLimit(at, until)) ? undefined : null
}

function putInOrder(ahead: DueRow[], item: DueRow): void {
  const isLater = ({ due_at, kind }: DueRow) =>
    due_at > item.due_at || (due_at.getTime() === item.due_at.getTime() && kind > item.kind)
  const later = ahead.findIndex(isLater)
  ahead.splice(later === -1 ? ahead.length : later, 0, item)
}

/** Whether another item runs before the first try to collect the renewal, and may change what pays it. */
function comesBeforeTry({ kind, object, due_at }: DueRow, { renewing }: Found['step'], at: Date): boolean {
  if (idle.has(kind) || due_at > at) return false
  if (kind === dueKinds.renewal) return !renewing.some(({ subscription }) => subscription.id === object)
  return due_at < at
}

/** The bill with how its first try pays it; undefined where that does not pay. */
async function jsonOf(
  deps: RehearsalDeps,
  db: Db,
  { due: { userid, at, limits }, step: { items, basket } }: Found,
  locale: Locale,
): Promise<ForecastInvoice | undefined> {
  const { total, gross, discount } = basket
  const { currency } = limits
  const coupon = basket.coupon?.code ?? null
  const method = await deps.findMethod(db, userid)
  const card = method && (await loadBillCard(db, { userid, coupon }, method))
  const means = await readMeans(db, { userid, at, mayRoll: true }, currency)
  if (!decidePay({ due: total, means }, card).pays) return undefined
  const split = splitPayment(total, means)
  const known = new Map(items.map((renewed) => [keyOf(renewed), renewed.terms]))
  const lines = basket.items.flatMap(({ key, amount, period, proration }) => {
    const terms = known.get(key)
    const line = { period_start: period.start, period_end: period.end, proration, amount_minor: amount.minor }
    return terms ? [{ ...line, terms, product_type: 'Instance' as const }] : []
  })
  const amounts = { gross_minor: gross.minor, discount_minor: discount.minor, total_minor: total.minor }
  const invoice = { issued_at: at, kind: 'renewal' as const, currency, coupon, ...amounts }
  const payment = {
    promo_minor: split.promo.minor,
    balance_minor: split.balance.minor,
    card_minor: split.card.minor,
    rolled_minor: split.rolled.minor,
  }
  return forecastInvoice(invoice, lines, payment, locale)
}
