import { sampleInvoiceId, samplePaymentId, sampleSubscriptionId } from '../samples/sample-bills.ts'
import type { ConsoleState } from './console-state.ts'

/** Money: plan, invoices, payments, subscriptions, balance and usage. */
export const billingStates: readonly ConsoleState[] = [
  { name: 'billing', path: '/billing' },
  { name: 'billing, past due', path: '/billing', who: 'overdue' },
  { name: 'billing, nothing bought yet', path: '/billing', who: 'newcomer' },
  {
    name: 'going on past a destruction',
    path: '/sandbox',
    who: 'overdue',
    open: async ({ page: view, app }) => {
      await app.button(app.t('billing.goOn')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'raising the plan',
    path: '/billing',
    open: async ({ page: view, app }) => {
      await app.button(app.t('billing.upgradeTo', { plan: 'Pro' })).click()
      await view.getByRole('dialog').getByText(app.t('billing.payToday'), { exact: true }).waitFor()
    },
  },
  { name: 'invoices', path: '/bill' },
  { name: 'payments', path: '/bill?tab=payments' },
  { name: 'subscriptions', path: '/bill?tab=subscriptions' },
  { name: 'payment, at the bank', path: `/payment/${sampleInvoiceId}` },
  { name: 'payment, paid', path: `/payment/${samplePaymentId}` },
  { name: 'payment, a line of usage opened', path: '/payment/pay_sample0030#line-1' },
  { name: 'subscription', path: `/subscriptions/${sampleSubscriptionId}` },
  { name: 'payment, what its coupon takes', path: `/payment/${sampleInvoiceId}#line-0` },
  { name: 'subscription, unpaid', path: '/subscriptions/sub_sample002' },
  { name: 'balance', path: '/balanceDetail' },
  { name: 'sandbox', path: '/sandbox' },
  { name: 'usage', path: '/usage' },
  {
    name: 'usage as a table',
    path: '/usage?product=cloud_backup',
    open: async ({ page: view, app }) => {
      const show = app.button(app.t('usagePage.showTable'))
      await show.or(app.button(app.t('usagePage.showChart'))).waitFor()
      // It stays a table while the page does.
      if (await show.isVisible()) await show.click()
      // Away from the button, so that its tip closes.
      await view.mouse.move(0, 0)
      await view.getByRole('columnheader', { name: app.t('usagePage.columnDay'), exact: true }).waitFor()
    },
  },
  {
    name: 'days of invoices',
    path: '/bill',
    open: async ({ page: view, app }) => {
      await app
        .button(app.t('common.labelled', { label: app.t('table.filterTime'), value: app.t('table.anyTime') }))
        .click()
      await view.getByLabel(app.t('bill.from'), { exact: true }).waitFor()
    },
  },
  {
    name: 'canceling an order',
    path: '/subscriptions/sub_sample002',
    open: async ({ page: view, app }) => {
      await app.button(app.t('money.cancelOrder')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
]
