import {
  invoiceKindFilters,
  invoiceStates,
  paymentKinds,
  paymentStates,
  subscriptionStates,
} from '@atoll/contract/billing'
import { defineListSearch, oneOf, type SearchField } from '../../kit/table/list-search.ts'

const billTabs = ['invoices', 'payments', 'subscriptions'] as const
export type BillTab = (typeof billTabs)[number]

/** A day of the account, `2026-09-21`: one that there is, written as such. */
const day: SearchField<string> = {
  safeParse: (value) => ({
    data:
      typeof value === 'string' && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value ? value : undefined,
  }),
}

export const invoicesSearch = defineListSearch({
  kind: oneOf(invoiceKindFilters),
  status: oneOf(invoiceStates),
  from: day,
  to: day,
})
export const paymentsSearch = defineListSearch({
  kind: oneOf(paymentKinds),
  status: oneOf(paymentStates),
  from: day,
  to: day,
})
export const subscriptionsSearch = defineListSearch({ status: oneOf(subscriptionStates) })

export type InvoicesSearch = ReturnType<typeof invoicesSearch>
export type PaymentsSearch = ReturnType<typeof paymentsSearch>
export type SubscriptionsSearch = ReturnType<typeof subscriptionsSearch>

const readers = { invoices: invoicesSearch, payments: paymentsSearch, subscriptions: subscriptionsSearch }

export type BillSearch = { tab?: Exclude<BillTab, 'invoices'> } & InvoicesSearch & PaymentsSearch & SubscriptionsSearch

/** The search of `/bill`: the tab, and what narrows its list. */
export function billSearch(search: Record<string, unknown>): BillSearch {
  const tab = billTabs.find((known) => known === search['tab']) ?? 'invoices'
  return { ...(tab !== 'invoices' && { tab }), ...readers[tab](search) } as BillSearch // of the one tab that is open
}
