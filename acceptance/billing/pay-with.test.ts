/** With which card a cluster, workers, a higher plan and a bill are paid, and the way back from adding one. */
import { emailShow } from '@atoll/contract/accounts'
import { invoicesDetail, invoicesPage, paymentPay, planChange } from '@atoll/contract/billing'
import {
  clusterOrder,
  createCluster,
  createWorker,
  type InstanceInfo,
  installTime,
  resourceInitNew,
} from '@atoll/contract/clusters'
import {
  paymentMethodAdd,
  paymentMethodDefault,
  paymentMethodDelete,
  paymentMethodList,
} from '@atoll/contract/payments'
import type { Call, CallData, Locale } from '@atoll/contract/wire'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import type { ConsoleTab } from '../stack/console-tab.ts'
import { emptyAnswers } from '../stack/samples/sample-account.ts'
import { sampleInvoiceId } from '../stack/samples/sample-bills.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const { server, openTab } = shareConsole()
const locale: Locale = 'zh-CN'

function named(status: string) {
  const cluster = sampleClusters.find((candidate) => candidate.status === status)
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}

async function openState(name: string): Promise<ConsoleTab> {
  const state = consoleStates.find((one) => one.name === name)
  const tab = await openTab({ locale }, state?.path)
  await state?.open?.(tab)
  return tab
}

/** The values of these fields in each request of a call. */
function sentTo(call: Call, answer: object, ...fields: string[]): (string | null)[][] {
  const sent: (string | null)[][] = []
  server.answers.set(call, (given: URLSearchParams) => {
    sent.push(fields.map((field) => given.get(field)))
    return answer
  })
  return sent
}

const cardsOf = ({ page, app }: ConsoleTab) => page.getByRole('group', { name: app.t('money.restBy') })
const chosenOf = (tab: ConsoleTab) => cardsOf(tab).getByRole('radio', { checked: true }).getAttribute('value')
const chooseSecond = (tab: ConsoleTab) => cardsOf(tab).getByRole('radio').nth(1).check({ force: true })

/** The gateway's page leads back at once, and the account has a third card then. */
function takeCard(): void {
  server.answers.set(paymentMethodAdd, (fields: URLSearchParams) => {
    const { methods } = server.answers.get(paymentMethodList) as CallData<typeof paymentMethodList> // the sample's
    const added = { ...methods[1], id: 'pm_sample003', cardLast4: '1117', lastDeclinedAt: null }
    server.answers.set(paymentMethodList, { methods: [...methods, added] })
    return { url: new URL(fields.get('returnTo') ?? '', server.url).href }
  })
}

async function addCard({ app }: ConsoleTab, inside?: Locator): Promise<void> {
  takeCard()
  await app.button(app.t('money.addCard'), inside).click()
}

const noticeOfNewCard = ({ page, app }: ConsoleTab) => {
  const words = app.t('money.cardAdded', { card: app.t('money.cardEnding', { name: 'Mastercard', last4: '1117' }) })
  return page.getByRole('status').getByText(words, { exact: true })
}

/** Focus is on the card that was added, beside which a green notice names it. */
async function expectNewCard(tab: ConsoleTab): Promise<void> {
  const { page } = tab
  await noticeOfNewCard(tab).waitFor()
  await expect.poll(() => page.locator('*:focus').getAttribute('value')).toBe('pm_sample003')
}

it('a new cluster keeps every choice while a card is added, and the new card is selected', async () => {
  const tab = await openTab({ locale }, '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3')
  const { page, app } = tab
  await page.getByLabel(app.t('create.name'), { exact: true }).fill('Nukuoro')
  await addCard(tab)
  await cardsOf(tab).getByText(/1117/).first().waitFor()
  expect(await chosenOf(tab)).toBe('pm_sample003')
  await expectNewCard(tab)
  expect(await page.getByLabel(app.t('create.name'), { exact: true }).inputValue()).toBe('Nukuoro')
  expect(new URL(page.url()).searchParams.get('offering')).toBe('tide-2')
})

it('workers are charged to the card that is chosen, which renews where that is ticked', async () => {
  const placed = { instanceIds: ['in_worker009'], status: 'fetching', amount: 648, paid: true }
  const sent = sentTo(createWorker, placed, 'methodId')
  const kept = sentTo(paymentMethodDefault, {}, 'id')
  const tab = await openState('adding workers')
  const { page, app } = tab
  await chooseSecond(tab)
  await page.getByRole('checkbox', { name: app.t('money.renewToo') }).check()
  expect(await findBarriers(page)).toEqual([])
  const order = page.getByRole('dialog').getByRole('button').last()
  await page.getByRole('dialog').getByRole('radio').first().scrollIntoViewIfNeeded()
  // Though the dialog is higher than the window.
  const box = await order.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
  await order.click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const { name = '' } = named('running')
  await page
    .locator('main')
    .getByText(app.t('worker.ordered_other', { count: 1, name }), { exact: true })
    .waitFor()
  expect([sent, kept]).toEqual([[['pm_sample002']], [['pm_sample002']]])
})

it('workers keep their size and number while a card is added, and the new card is selected', async () => {
  const init = server.answers.get(resourceInitNew) as { instanceInfo: InstanceInfo } // the sample's
  const { data, pricePackage } = init.instanceInfo
  const priced = Object.fromEntries(data.map(({ name }) => [name, Object.values(pricePackage)[0]]))
  server.answers.set(resourceInitNew, { ...init, instanceInfo: { ...init.instanceInfo, pricePackage: priced } })
  const tab = await openState('adding workers')
  const { page, app } = tab
  const sizes = () => page.getByRole('dialog').locator('[name=worker-offering]')
  await sizes().nth(1).check({ force: true })
  const size = await sizes().nth(1).getAttribute('value')
  await page.getByLabel(app.t('worker.quantity'), { exact: true }).fill('2')
  await addCard(tab, page.getByRole('dialog'))
  await cardsOf(tab).getByText(/1117/).first().waitFor()
  expect(await chosenOf(tab)).toBe('pm_sample003')
  await expectNewCard(tab)
  expect(await page.getByRole('dialog').locator('[name=worker-offering]:checked').getAttribute('value')).toBe(size)
  expect(await page.getByLabel(app.t('worker.quantity'), { exact: true }).inputValue()).toBe('2')
})

it('a higher plan is charged to the card that is chosen, or to one that is added on the way', async () => {
  const raised = { paid: true, planLevel: 3, effectiveAt: new Date().toISOString(), amount: 987 }
  const sent = sentTo(planChange, raised, 'methodId')
  const tab = await openState('raising the plan')
  const { page, app } = tab
  await addCard(tab, page.getByRole('dialog'))
  await cardsOf(tab).getByText(/1117/).first().waitFor()
  expect(await chosenOf(tab)).toBe('pm_sample003')
  await expectNewCard(tab)
  await chooseSecond(tab)
  await app.button(app.t('billing.payAmount', { amount: '$9.87' }), page.getByRole('dialog')).click()
  await page.getByText(app.t('billing.planRaised', { plan: 'Pro' })).waitFor()
  expect(sent).toEqual([['pm_sample002']])
})

it('a bill is charged to the card that is chosen', async () => {
  const whole = server.answers.get(invoicesDetail) as (fields: URLSearchParams) => object // as the sample answers
  server.answers.set(invoicesDetail, (fields: URLSearchParams) => ({ ...whole(fields), payments: [] }))
  const answer = server.answers.get(paymentPay)
  const sent = sentTo(paymentPay, Object(answer), 'methodId')
  const tab = await openTab({ locale }, `/payment/${sampleInvoiceId}`)
  await chooseSecond(tab)
  expect(await findBarriers(tab.page)).toEqual([])
  await tab.app.button(tab.app.t('payment.pay', { amount: '$21.60' })).click()
  await expect.poll(() => sent).toEqual([['pm_sample002']])
})

it('a card that is added in place of one whose bank still asks has focus, and pays', async () => {
  const sent = sentTo(paymentPay, Object(server.answers.get(paymentPay)), 'methodId')
  const tab = await openTab({ locale }, `/payment/${sampleInvoiceId}`)
  const { page, app } = tab
  takeCard()
  await app.button(app.t('payment.otherCard')).click()
  await page.getByRole('menuitemradio', { name: app.t('payment.addCard') }).click()
  await noticeOfNewCard(tab).waitFor()
  const pays = app.t('payment.payByCard', { card: 'Mastercard 1117' })
  await expect.poll(() => page.locator('*:focus').textContent()).toBe(pays)
  await page.keyboard.press('Enter')
  await expect.poll(() => sent).toEqual([['pm_sample003']])
})

const orderedId = named('installing').clusterId
const review = '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'

it('a cluster that is paid is shown with what was charged, which a reload keeps and Back does not order again', async () => {
  const placed = { clusterId: orderedId, status: 'paid', amount: 648, paid: true, invoiceId: 'iv_sample0029' }
  const sent = sentTo(createCluster, placed, 'requestId')
  const { page, app } = await openTab({ locale }, '/')
  await page.goto(review)
  await page.getByText(app.t('create.readyAfter', { minutes: 5 })).waitFor()
  await app.button(app.t('create.payDo', { amount: '$6.48' })).click()
  await page.waitForURL((url) => url.pathname === `/paid/${orderedId}`)
  for (const again of [false, true]) {
    if (again) await page.reload()
    await app.heading(app.t('paid.charges')).waitFor()
    await page.getByText(app.t('paid.receiptTo', { mail: 'lena@example.com' })).waitFor()
    await page.getByText('$25.34', { exact: true }).waitFor()
  }
  await page.goBack()
  await page.waitForURL((url) => !url.pathname.startsWith('/paid/'))
  expect(sent).toHaveLength(1)
  await page.goForward()
  await app.link(app.t('paid.open', { name: named('installing').name })).click()
  await page.waitForURL((url) => url.pathname === `/cluster/${orderedId}`)
})

it('without a linked email, or installs of its size, that page says so and gives no time', async () => {
  server.answers.set(emailShow, { email: null, pending: null })
  server.answers.set(installTime, { seconds: null })
  const { page, app } = await openTab({ locale }, `/paid/${orderedId}`)
  await page.getByText(app.t('paid.noMail')).waitFor()
  expect(await app.link(app.t('paid.linkMail')).getAttribute('href')).toBe('/profile')
  expect(await page.getByText(app.t('paid.aboutLeft', { minutes: '' }).trim().slice(0, 3)).count()).toBe(0)
})

it('a cluster that was not paid yet is led to its payment, and one that cost nothing to its page', async () => {
  server.answers.set(clusterOrder, { invoiceId: sampleInvoiceId })
  const { page } = await openTab({ locale }, `/paid/${orderedId}`)
  await page.waitForURL((url) => url.pathname === `/payment/${sampleInvoiceId}`)
  server.answers.set(clusterOrder, { invoiceId: null })
  await page.goto(`/paid/${orderedId}`)
  await page.waitForURL((url) => url.pathname === `/cluster/${orderedId}`)
})

it('a payment that has succeeded leads back to where one came from, and says so there', async () => {
  const whole = server.answers.get(invoicesDetail) as (fields: URLSearchParams) => object // as the sample answers
  let paid = false
  // Of a worker: an order of a cluster is shown on a page of its own.
  const { items } = whole(new URLSearchParams({ invoiceId: sampleInvoiceId })) as CallData<typeof invoicesDetail>
  server.answers.set(invoicesDetail, (fields: URLSearchParams) => ({
    ...whole(fields),
    items: items.map((item) => ({ ...item, instanceId: 'in_worker009' })),
    ...(paid ? { status: 'paid', actions: [], payments: [] } : { payments: [] }),
  }))
  server.answers.set(paymentPay, () => {
    paid = true
    return { paid: true, status: 'succeeded', paymentId: 'pay_sample0031', invoiceId: sampleInvoiceId }
  })
  const { page, app } = await openTab({ locale }, '/bill?status=open')
  await page
    .getByRole('link', { name: app.t('bill.pay') })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname.startsWith('/payment/'))
  await app.button(app.t('payment.pay', { amount: '$21.60' })).click()
  await page.waitForURL((url) => url.pathname === '/bill' && url.search === '?status=open')
  await page
    .locator('main')
    .getByText(app.t('paid.notice', { amount: '$21.60' }), { exact: true })
    .waitFor()
  // A payment of long ago stays where it is.
  await page.goto(`/payment/${sampleInvoiceId}`)
  await app.heading(app.t('payment.invoice')).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/payment/${sampleInvoiceId}`)
})

it('a card that is added on the page of billing has focus there, and focus goes to the heading when it is removed', async () => {
  // An account that has bought nothing has another page, which is shown once this is answered.
  server.answers.set(invoicesPage, emptyAnswers().get(invoicesPage))
  const tab = await openTab({ locale }, '/billing')
  const { page, app } = tab
  await addCard(tab, page.getByRole('region', { name: app.t('billing.methods') }))
  await noticeOfNewCard(tab).waitFor()
  await expect.poll(() => page.locator('li:focus').textContent()).toContain('1117')
  const { methods } = server.answers.get(paymentMethodList) as CallData<typeof paymentMethodList> // with the third card
  server.answers.set(paymentMethodDelete, () => {
    server.answers.set(paymentMethodList, { methods: methods.slice(0, 2) })
    return {}
  })
  await app
    .button(app.t('common.more', { name: app.t('money.cardEnding', { name: 'Mastercard', last4: '1117' }) }))
    .click()
  await page.getByRole('menuitem', { name: app.t('billing.removeCard') }).click()
  await app.button(app.t('billing.removeCard'), page.getByRole('dialog')).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('main li', { hasText: '1117' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('*:focus').evaluateAll(([focused]) => focused?.tagName)).toBe('H1')
})
