/** Mails that are due before something else is; not sent where that is settled by then. */
import { dayInZone, money, sumMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { priceOfTerms } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { getSubscription } from '../documents/subscription-store.ts'
import { findLowerTerms } from '../plans/begin-plans.ts'
import { getDunning } from '../renewals/dunning-store.ts'
import { listRenewedItems, listRenewing } from '../renewals/renewal-basket.ts'
import { dueKinds, graceMailDays } from '../time/due-kinds.ts'
import type { Due, DueOutcome } from '../time/due-runner.ts'
import { readMailedInvoice } from './mail-facts.ts'
import { type BillingMailDeps, sendBillingMail } from './send-billing-mail.ts'

const dayMs = 24 * 60 * 60_000

/** An order is about to lapse. */
export async function runLapseMail(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const { state, valid_until: validUntil } = await getInvoice(trx, userid, invoiceId)
  if (state !== 'open' || !validUntil || at >= validUntil) return 'done'
  const facts = { invoice: await readMailedInvoice(trx, userid, invoiceId), at: validUntil }
  await sendBillingMail(deps, trx, { userid, kind: 'orderLapses', key: invoiceId, facts })
  return 'done'
}

/** What is paid ahead is about to be renewed: one mail for all that is on the same day. */
export async function runRenewalMail(
  deps: BillingMailDeps & Pick<OrderDeps, 'catalog'>,
  trx: Trx,
  { userid, object, at, limits: { zone, currency } }: Due,
): Promise<DueOutcome> {
  const { state, period_end: day } = await getSubscription(trx, object)
  if (state !== 'active' || day <= at) return 'done'
  const renewing = await listRenewing(trx, { userid, zone, day })
  const items = renewing.length === 0 ? [] : await listRenewedItems(trx, renewing)
  const pending = new Map(renewing.map(({ subscription }) => [subscription.id, subscription.pending_level]))
  const rows = items.flatMap(({ item, terms }) => {
    const level = pending.get(item.subscription_id) ?? null
    const renewed = level === null ? terms : findLowerTerms(deps, level, currency)
    return renewed ? [{ name: renewed.title, amount: priceOfTerms(renewed) }] : []
  })
  const total =
    rows.length === 0
      ? money(0, currency)
      : sumMoney(
          rows.map(({ amount }) => amount),
          currency,
        )
  if (total.minor === 0) return 'done'
  const key = dayInZone(day, zone)
  await sendBillingMail(deps, trx, { userid, kind: 'renewalSoon', key, facts: { at: day, rows, total } })
  return 'done'
}

/** The days of grace are about to be over. */
export async function runGraceMail(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const { state } = await getInvoice(trx, userid, invoiceId)
  const until = await findGraceEnd(trx, userid, invoiceId)
  if (state !== 'open' || !until || (await getDunning(trx, invoiceId)).past_due_at === null) return 'done'
  const left = (until.getTime() - at.getTime()) / dayMs
  // The nearest that has come: after an outage the others would say what is no longer so.
  const days = graceMailDays.findLast((one) => left <= one)
  if (days !== undefined && left > 0) {
    const facts = { invoice: await readMailedInvoice(trx, userid, invoiceId), days, until }
    await sendBillingMail(deps, trx, { userid, kind: 'daysLeft', key: `${invoiceId} ${days}`, facts })
  }
  const next = graceMailDays.find((one) => left > one)
  return next === undefined ? 'done' : { next: new Date(until.getTime() - next * dayMs) }
}

async function findGraceEnd(trx: Trx, userid: string, invoiceId: string): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('due_items')
    .select('due_at')
    .where('userid', '=', userid)
    .where('object', '=', invoiceId)
    .where('kind', '=', dueKinds.graceOver)
    .executeTakeFirst()
  return row?.due_at
}
