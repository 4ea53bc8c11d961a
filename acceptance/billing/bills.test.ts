/** Bills, payments, subscriptions and the balance as a person reads them, and paying with one press. */
import {
  balancePage,
  customerInfo,
  invoicesDetail,
  invoicesPage,
  paymentPay,
  subscriptionsDetail,
} from '@atoll/contract/billing'
import { cancelInstance } from '@atoll/contract/clusters'
import { paymentMethodList } from '@atoll/contract/payments'
import { codes } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import { phone } from '../stack/browser.ts'
import { sampleInvoiceId, sampleSubscriptionId } from '../stack/samples/sample-bills.ts'
import { envelope } from '../stack/scripted-console.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()

/** The sample's answer to a call, as it would be sent. */
function answerTo<Data>(
  call: typeof invoicesDetail | typeof subscriptionsDetail,
  fields: Record<string, string>,
): Data {
  const answer = server.answers.get(call)
  if (typeof answer !== 'function') throw new Error(`the sample answers ${call.name} by its fields`)
  return answer(new URLSearchParams(fields))
}
/** The invoice that waits, as it is before anybody tried to pay it. */
function untried(): object {
  const tried = answerTo<object>(invoicesDetail, { invoiceId: sampleInvoiceId })
  server.answers.set(invoicesDetail, { ...tried, payments: [] })
  return tried
}

it('lists 20 invoices a page, says what was charged ahead, and marks what waits', async () => {
  const { page, app, complaints } = await openTab({}, '/bill')
  await page.getByText(app.t('table.range', { from: 1, to: 20, total: 31 })).waitFor()
  const rows = page.locator('tbody > tr')
  expect(await rows.count()).toBe(20)
  expect(await rows.nth(0).innerText()).toContain('Prepayment')
  expect(await rows.nth(1).innerText()).toContain('Postpayment')
  expect(await page.locator('tr[data-marked]').count()).toBe(1)
  await app.button(app.t('table.next', { list: app.t('bill.invoices') })).click()
  await page.getByText(app.t('table.range', { from: 21, to: 31, total: 31 })).waitFor()
  await page.getByRole('tab', { name: app.t('bill.payments') }).click()
  await page.getByText('There is not enough money on the card.').waitFor()
  expect(complaints).toEqual([])
})

it('asks for the days that were chosen, both of them included', async () => {
  const asked: (string | null)[] = []
  const answer = server.answers.get(invoicesPage)
  server.answers.set(invoicesPage, (fields: URLSearchParams) => {
    if (fields.get('from') !== null) asked.push(fields.get('from'), fields.get('to'))
    return typeof answer === 'function' ? answer(fields) : answer
  })
  const { page, app } = await openTab({}, '/bill?from=2026-09-01&to=2026-09-30')
  await app.button(`${app.t('table.filterTime')}: 1 Sep 2026 – 30 Sep 2026`).waitFor()
  await page.getByText(app.t('table.range', { from: 1, to: 20, total: 31 })).waitFor()
  expect(asked.slice(0, 2)).toEqual(['2026-09-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z'])
})

it('sums the items of a subscription and of an invoice', async () => {
  const { page, app } = await openTab({}, `/subscriptions/${sampleSubscriptionId}`)
  const total = page.locator('tfoot tr')
  await total.waitFor()
  expect(await total.innerText()).toContain('$28.80')
  const { subscriptionItemsInfo } = answerTo<{ subscriptionItemsInfo: unknown[] }>(subscriptionsDetail, {
    subscriptionId: sampleSubscriptionId,
  })
  expect(await page.locator('table').first().locator('tbody > tr').count()).toBe(subscriptionItemsInfo.length)

  await page.goto(`/payment/${sampleInvoiceId}`)
  const invoice = page.getByRole('region', { name: app.t('payment.invoice') })
  // 24.00 less the coupon's 2.40.
  await invoice.getByText('$24.00', { exact: true }).waitFor()
  await invoice.getByText('\u2212$2.40').waitFor()
  await invoice.getByText('$21.60').waitFor()
  await invoice.getByRole('button', { name: app.t('payment.coupon', { code: 'REEF10' }) }).click()
  await invoice.getByText(app.t('payment.takenOf', { amount: '$24.00' }), { exact: true }).waitFor()
  // Of each try what the card was asked for: 4.72 comes from the balance.
  const tries = page.getByRole('region', { name: app.t('payment.attempts') }).locator('tbody > tr')
  expect(await tries.allInnerTexts()).toEqual([expect.stringContaining('$16.88'), expect.stringContaining('$16.88')])
})

it('calls a plan as its subscription does, once', async () => {
  const { page } = await openTab({}, '/subscriptions/sub_sample003')
  await page.getByRole('heading', { level: 1, name: 'Basic plan', exact: true }).waitFor()
  expect(await page.title()).toMatch(/^Basic plan\b(?! plan)/)
})

it('shows the balance as the customer’s own, and a part that failed alone', async () => {
  const tab = await openTab({}, '/balanceDetail')
  const { page, app } = tab
  const figure = page.getByRole('region', { name: app.t('money.balance'), exact: true })
  await figure.getByText('$4.72').waitFor()
  await page.getByRole('row', { name: /118/ }).getByText('\u2212$12.96').waitFor()
  await page.getByRole('row', { name: /114/ }).getByText('+$4.72').waitFor()

  const customer = server.answers.get(customerInfo) as object // an answer of the sample
  server.answers.set(customerInfo, { ...customer, cashBalance: 0 })
  await page.reload()
  await figure.getByText('$0.00').waitFor()

  server.breakdown = (path) =>
    path === balancePage.path ? { status: 200, body: envelope(codes.serverError, 'Broken.') } : undefined
  await page.reload()
  await page.getByRole('heading', { name: app.t('balance.errorTitle') }).waitFor()
  await figure.getByText('$0.00').waitFor()
  const row = page.getByRole('row', { name: /118/ })
  server.breakdown = undefined
  // The page may have asked again of its own accord by then.
  await Promise.race([app.button(app.t('failure.retry')).click(), row.waitFor()])
  await row.waitFor()
})

it('pays with one press, and goes on at the bank', async () => {
  const tried = untried()
  const { app, complaints } = await openTab({}, `/payment/${sampleInvoiceId}`)
  const keys = new Set<string | null>()
  const answer = server.answers.get(paymentPay)
  server.answers.set(paymentPay, (fields: URLSearchParams) => {
    keys.add(fields.get('requestId'))
    return answer
  })
  const pay = app.button(app.t('payment.pay', { amount: '$21.60' }))
  await pay.waitFor()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.wait = (path) => (path === paymentPay.path ? promise : undefined)
  await pay.dblclick()
  server.answers.set(invoicesDetail, tried)
  resolve()
  await app.link(app.t('payment.approve')).waitFor()
  // However often it is sent, it is one request: the server pays once for a key.
  expect(keys.size).toBe(1)
  expect(complaints).toEqual([])
})

it('takes back an order by its instance, be it of a worker', async () => {
  const asked: (string | null)[] = []
  const answer = server.answers.get(cancelInstance)
  server.answers.set(cancelInstance, (fields: URLSearchParams) => {
    asked.push(fields.get('instanceId'))
    return answer
  })
  const { page, app, complaints } = await openTab({}, `/payment/${sampleInvoiceId}`)
  await app.button(app.t('money.cancelOrder')).click()
  await app.button(app.t('money.cancelDo'), page.getByRole('dialog')).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect([asked, complaints]).toEqual([['in_unpaid0001'], []])
})

it('says when there is no card, and pays nothing', async () => {
  untried()
  server.answers.set(paymentMethodList, { methods: [] })
  const { page, app } = await openTab({}, `/payment/${sampleInvoiceId}`)
  await page.getByText('No payment method available!').waitFor()
  await app.button(app.t('payment.addCard')).waitFor()
  expect(await app.button(app.t('payment.pay', { amount: '$21.60' })).count()).toBe(0)
})

it('covers no button at the end of a phone’s page with what failed', async () => {
  const { page, app } = await openTab({ viewport: phone }, `/payment/${sampleInvoiceId}`)
  await page.getByRole('button', { name: app.t('money.pdfIn', { language: 'English' }) }).click()
  await page.getByRole('alert').locator('[data-toast]').waitFor()
  const last = page.locator('main').getByRole('button').last()
  // Pressed only where nothing lies over it.
  await last.click({ trial: true })
  expect(await page.getByRole('alert').locator('[data-toast]').count()).toBe(1)
})
