import type { SubscriptionItem, SubscriptionRow, subscriptionsDetail, subscriptionsPage } from '@atoll/contract/billing'
import { type CallBody, type CallData, type Locale, planNames } from '@atoll/contract/wire'
import { readPage } from '../../../platform/paging/index.ts'
import { isEnd, subscriptionTransitions } from '../records/documents/states.ts'
import { invoiceActions } from './invoice-json.ts'
import { getReadInvoice } from './invoice-service.ts'
import { listChargedLines } from './lines/charged-lines.ts'
import { invoiceTexts } from './lines/invoice-texts.ts'
import { summaryOf } from './lines/line-names.ts'
import type { ReadDeps } from './read-deps.ts'
import {
  getOwnSubscription,
  listInvoicesOf,
  listOpenInvoices,
  listSoldItems,
  type NamedSubscription,
  type SoldItem,
  subscriptionsOf,
} from './read-subscriptions.ts'
import { seconds } from './read-time.ts'

const mostInvoices = 20

export async function pageSubscriptions(
  { db }: ReadDeps,
  userid: string,
  { page, rowsPerPage, ...filter }: CallBody<typeof subscriptionsPage>,
  locale: Locale,
): Promise<CallData<typeof subscriptionsPage>> {
  const { rows, figures } = await readPage(subscriptionsOf(db, userid, filter), { page, rowsPerPage })
  const ids = rows.map(({ id }) => id)
  const [items, open] = await Promise.all([listSoldItems(db, ids), listOpenInvoices(db, ids)])
  const subscriptions = rows.map((row) => subscriptionJson(row, items.get(row.id) ?? [], open.get(row.id), locale))
  return { subscriptions, ...figures }
}

/** One subscription of the account; refuses any other as one that there is none of. */
export async function showSubscription(
  { db }: ReadDeps,
  userid: string,
  subscriptionId: string,
  locale: Locale,
): Promise<CallData<typeof subscriptionsDetail>> {
  const row = await getOwnSubscription(db, userid, subscriptionId)
  const ids = [row.id]
  const [sold, opened, invoices] = await Promise.all([
    listSoldItems(db, ids),
    listOpenInvoices(db, ids),
    listInvoicesOf(db, row.id, mostInvoices),
  ])
  const [items, open] = [sold.get(row.id) ?? [], opened.get(row.id)]
  const [lines, toPay] = await Promise.all([
    listChargedLines(
      db,
      userid,
      invoices.map(({ id }) => id),
    ),
    open && getReadInvoice(db, userid, open.id),
  ])
  const level = row.pending_level
  return {
    ...subscriptionJson(row, items, open, locale),
    subscriptionItemsInfo: charged(row, items).map((item) => itemJson(item, locale)),
    ...(level !== null && {
      pending: { planLevel: level, planName: planNames[level] ?? String(level), at: row.period_end.toISOString() },
    }),
    invoices: invoices.map((invoice) => ({
      invoiceId: invoice.id,
      number: invoice.number,
      createAt: invoice.issued_at.toISOString(),
      summary: summaryOf(
        invoice.kind,
        (lines.get(invoice.id) ?? []).filter((line) => line.subscription_id === row.id),
        locale,
      ),
      status: invoice.state,
      amount: Number(invoice.part),
    })),
    // Of one that is paid for, an order of workers is taken back alone.
    actions: toPay ? invoiceActions(toPay).filter((action) => action !== 'cancel' || row.state === 'unpaid') : [],
  }
}

function subscriptionJson(
  row: NamedSubscription,
  items: readonly SoldItem[],
  open: { id: string; valid_until: Date | null } | undefined,
  locale: Locale,
): SubscriptionRow {
  const own = charged(row, items)
  const [first] = items
  if (!first) throw new Error(`The subscription ${row.id} has no items`)
  const plan = invoiceTexts[locale].plan((own[0] ?? first).terms.title[locale])
  return {
    subscriptionId: row.id,
    kind: row.kind,
    name: row.cluster_name ?? plan,
    ...(row.cluster_id !== null && { clusterId: row.cluster_id }),
    status: row.state,
    amount: own.reduce((sum, { terms }) => sum + terms.amount, 0),
    currency: first.terms.currency,
    instances: row.kind === 'plan' ? 0 : own.length,
    createAt: row.created_at.toISOString(),
    periodStart: seconds(row.period_start),
    periodEnd: seconds(row.period_end),
    ...(open?.valid_until && row.state === 'unpaid' && { validUntil: open.valid_until.toISOString() }),
    ...(open && { openInvoiceId: open.id }),
  }
}

/** The items that are charged; of a subscription that is over, all it had. */
function charged({ state }: NamedSubscription, items: readonly SoldItem[]): readonly SoldItem[] {
  if (isEnd(subscriptionTransitions, state)) return items
  return items.filter((item) => !isEnd(subscriptionTransitions, item.state))
}

function itemJson({ id, terms, state, created_at, instance }: SoldItem, locale: Locale): SubscriptionItem {
  const title = terms.title[locale]
  return {
    subscriptionItemId: id,
    priceInfo: {
      productName: terms.kind === 'plan' ? invoiceTexts[locale].plan(title) : title,
      amount: terms.amount,
      currency: terms.currency,
    },
    quantity: 1,
    status: state,
    createAt: created_at.toISOString(),
    ...(instance && {
      instance: {
        instanceId: instance.id,
        name: instance.role === 'master' ? 'master' : `worker-${instance.ordinal}`,
        role: instance.role,
      },
    }),
  }
}
