/** The console's figures before an act about money, and the body it sends. */
import {
  customerInfo,
  forecast,
  getEstimatedAmount,
  getEstimatedRefundAmount,
  planChange,
} from '@atoll/contract/billing'
import { createCluster, destroyMaster } from '@atoll/contract/clusters'
import { paymentMethodDefault, paymentMethodList } from '@atoll/contract/payments'
import { type Call, codes, type Locale } from '@atoll/contract/wire'
import { describe, expect, it } from 'vitest'
import { emptyAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { estimateOf, refundOf } from '../stack/samples/sample-money.ts'
import { envelope } from '../stack/scripted-console.ts'
import { waitForRest } from '../stack/settled.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const { server, openTab } = shareConsole()
const locale: Locale = 'zh-CN'
const [cluster] = sampleClusters
if (!cluster) throw new Error('the sample has no cluster')
const { name } = cluster

it('shows an account that bought nothing its plan, its usage and the way to a cluster, and one line each for everything else', async () => {
  server.answers = emptyAnswers()
  const { page, app } = await openTab({ locale }, '/billing')
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await part(app.t('billing.invoices')).getByText(app.t('billing.invoicesNone'), { exact: true }).waitFor()
  await part(app.t('billing.next'))
    .getByRole('link', { name: app.t('home.create') })
    .waitFor()
  await part(app.t('billing.usage')).getByRole('meter').first().waitFor()
  for (const hidden of ['noMethodHelp', 'balanceHelp', 'capNoneHelp', 'assumeNone'] as const)
    await expect.poll(() => page.getByText(app.t(`billing.${hidden}`), { exact: true }).count()).toBe(0)
  await app.button(app.t('billing.capSet')).click()
  await page.getByLabel(app.t('billing.capAmount'), { exact: true }).waitFor()
})

describe('destroying', () => {
  it('shows what comes back, sends it along, and asks again with the new figure when it no longer holds', async () => {
    let amount = 1420
    const refund = () => ({ ...refundOf(cluster), amount, estimateToken: `token-${amount}` })
    server.answers.set(getEstimatedRefundAmount, refund)
    const sent: (string | null)[] = []
    server.answers.set(destroyMaster, (fields: URLSearchParams) => {
      sent.push(fields.get('estimateToken'))
      if (sent.length > 1) return { status: 'destroying' }
      amount = 1400
      return { status: 'destroy_to_be_confirmed' }
    })
    const tab = await openTab({ locale }, consoleStates.find((state) => state.name === 'destroying')?.path)
    await consoleStates.find((state) => state.name === 'destroying')?.open?.(tab)
    const { app, page } = tab
    const dialog = page.getByRole('dialog')
    const table = dialog.getByRole('list', { name: app.t('dialog.refundLabel') })
    await table.getByText('$14.20', { exact: true }).waitFor()
    await dialog.getByRole('textbox').fill(name)
    await app.button(app.t('dialog.destroyDo'), dialog).click()
    await dialog.getByText(app.t('dialog.refundChanged'), { exact: true }).waitFor()
    await table.getByText('$14.00', { exact: true }).waitFor()
    await app.button(app.t('dialog.destroyDo'), dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(sent).toEqual(['token-1420', 'token-1400'])
  })
})

const review = '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'

describe('ordering', () => {
  it('sends the figure that was shown, and shows the new one and asks again when that is refused', async () => {
    let price = 720
    server.answers.set(getEstimatedAmount, () => ({ ...estimateOf(price), estimateToken: `token-${price}` }))
    const sent: (string | null)[] = []
    server.answers.set(createCluster, (fields: URLSearchParams) => {
      sent.push(fields.get('estimateToken'))
      return { clusterId: 'cl_sample001', status: 'fetching', amount: 900, paid: true }
    })
    server.breakdown = (path) => {
      if (path !== createCluster.path || price !== 720) return undefined
      price = 1000
      return { status: 200, body: envelope(codes.conflict, 'This costs $9.00 now.') }
    }
    const { app, page } = await openTab({ locale }, review)
    await app.button(app.t('create.payDo', { amount: '$6.48' })).click()
    await page.getByText('This costs $9.00 now.').waitFor()
    await app.button(app.t('create.payDo', { amount: '$9.00' })).click()
    await app.heading(app.t('home.title')).waitFor()
    expect(sent).toEqual(['token-1000'])
  })

  it('tries a coupon on the figure, sends it along, and leaves out one that is gone', async () => {
    server.answers.set(getEstimatedAmount, (fields: URLSearchParams) => {
      const code = fields.get('couponCode')
      return { ...estimateOf(code ? 720 : 1000), estimateToken: `token-${code ?? 'none'}` }
    })
    const sent: (string | null)[] = []
    server.answers.set(createCluster, (fields: URLSearchParams) => {
      sent.push(fields.get('couponCode'), fields.get('estimateToken'))
      return { clusterId: 'cl_sample001', status: 'fetching', amount: 900, paid: true }
    })
    const refuseOn = (path: string, message: string, field: string) => {
      server.breakdown = (asked) =>
        asked === path ? { status: 200, body: JSON.stringify({ code: codes.conflict, message, field }) } : undefined
    }
    const { app, page } = await openTab({ locale }, review)
    await app.button(app.t('create.payDo', { amount: '$9.00' })).waitFor()
    await app.button(app.t('create.couponHave')).click()
    const code = page.getByRole('textbox', { name: app.t('create.couponCode') })
    await code.fill('REEF10')
    await page.getByText(app.t('create.couponTyped'), { exact: true }).waitFor()
    const unsure = app.button(app.t('create.payDo', { amount: '$9.00' }))
    expect(await unsure.getAttribute('aria-disabled'), 'no order without the coupon that stands there').toBe('true')
    refuseOn(getEstimatedAmount.path, 'There is no coupon REEF10.', 'code')
    await code.press('Enter')
    await page.getByText('There is no coupon REEF10.').waitFor()
    server.breakdown = undefined
    await app.button(app.t('create.couponUse'), page).click()
    const pay = app.button(app.t('create.payDo', { amount: '$6.48' }))
    await pay.waitFor()
    refuseOn(createCluster.path, 'Without it this costs $9.00.', 'couponCode')
    await pay.click()
    await page.getByText('Without it this costs $9.00.').waitFor()
    await app.button(app.t('create.payDo', { amount: '$9.00' })).waitFor()
    server.breakdown = undefined
    await app.button(app.t('create.couponHave')).click()
    await code.fill('LAGOON')
    await code.press('Enter')
    await pay.click()
    await app.heading(app.t('home.title')).waitFor()
    expect(sent).toEqual(['LAGOON', 'token-LAGOON'])
  })

  it('without a card says so, and what was ordered all the same is paid on the page of its payment', async () => {
    server.answers.set(paymentMethodList, { methods: [] })
    server.answers.set(createCluster, {
      clusterId: 'cl_sample001',
      status: 'unpaid',
      amount: 648,
      paid: false,
      invoiceId: 'iv_sample0031',
    })
    const { app, page } = await openTab({ locale }, review)
    await page.getByText(app.t('money.noPaymentMethod'), { exact: true }).waitFor()
    await app.button(app.t('create.orderDo')).click()
    await page.waitForURL((url) => url.pathname === '/payment/iv_sample0031')
    await app.button(app.t('money.cancelOrder')).waitFor()
    await page.getByRole('timer').waitFor()
  })

  it('charges the card that is chosen, and renews with it only where that is ticked', async () => {
    const sent: (string | null)[] = []
    server.answers.set(createCluster, (fields: URLSearchParams) => {
      sent.push(fields.get('methodId'))
      return { clusterId: 'cl_sample001', status: 'fetching', amount: 648, paid: true, invoiceId: 'iv_sample0031' }
    })
    const kept: (string | null)[] = []
    server.answers.set(paymentMethodDefault, (fields: URLSearchParams) => {
      kept.push(fields.get('id'))
      return {}
    })
    for (const renews of [false, true]) {
      const { app, page } = await openTab({ locale }, review)
      const cards = page.getByRole('group', { name: app.t('money.restBy') })
      const renewal = page.getByRole('checkbox', { name: app.t('money.renewToo') })
      await cards.getByRole('radio').nth(1).check({ force: true })
      expect(await page.locator('aside').getByText(/5100/).count(), 'the summary names it').toBe(1)
      if (renews) await renewal.check()
      await app.button(app.t('create.payDo', { amount: '$6.48' })).click()
      await app.heading(app.t('paid.charges')).waitFor()
    }
    expect([sent, kept]).toEqual([['pm_sample002', 'pm_sample002'], ['pm_sample002']])
  })

  it('asks for no card where the balance pays it all', async () => {
    const whole = estimateOf(720)
    server.answers.set(getEstimatedAmount, { ...whole, fromBalance: whole.amount, toCard: 0 })
    const sent: (string | null)[] = []
    server.answers.set(createCluster, (fields: URLSearchParams) => {
      sent.push(fields.get('methodId'))
      return { clusterId: 'cl_sample001', status: 'fetching', amount: 648, paid: true, invoiceId: 'iv_sample0031' }
    })
    const { app, page } = await openTab({ locale }, review)
    await app.button(app.t('money.payFromBalance')).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    await app.button(app.t('money.payFromBalance')).click()
    await app.heading(app.t('paid.charges')).waitFor()
    expect(sent).toEqual([null])
  })
})

describe('changing the plan', () => {
  it('is done only when it is paid: else its payment is shown', async () => {
    let paid = false
    server.answers.set(planChange, () => ({
      paid,
      planLevel: 3,
      effectiveAt: new Date().toISOString(),
      amount: 987,
      ...(!paid && { invoiceId: 'iv_sample0031' }),
    }))
    const { app, page } = await openTab({ locale }, '/billing')
    const raise = async () => {
      await app.button(app.t('billing.upgradeTo', { plan: 'Pro' })).click()
      await app.button(app.t('billing.payAmount', { amount: '$9.87' })).click()
    }
    // The next plan up says what it costs today, before it is pressed.
    await page.getByText(app.t('billing.todayAmount', { amount: '$9.87' }), { exact: true }).waitFor()
    await raise()
    await page.waitForURL((url) => url.pathname.startsWith('/payment/'))
    paid = true
    await page.goBack()
    await raise()
    await page.getByText(app.t('billing.planRaised', { plan: 'Pro' })).waitFor()
    expect(new URL(page.url()).pathname).toBe('/billing')
  })
})

describe('the forecast', () => {
  it('is asked with what is assumed to be used, without what is no quantity, and without it again', async () => {
    const whole = server.answers.get(forecast)
    const asked: Record<string, string>[] = []
    server.answers.set(forecast, (fields: URLSearchParams) => {
      asked.push(Object.fromEntries([...fields].filter(([field]) => field.startsWith('usage'))))
      return whole
    })
    const { page, app } = await openTab({}, '/billing')
    const field = (which: 'Traffic' | 'Storage') => page.getByLabel(app.t(`billing.assume${which}`), { exact: true })
    await app.button(app.t('billing.assume')).click()
    await field('Traffic').fill('350,5')
    await expect.poll(() => asked.at(-1)).toEqual({ 'usage[cloud_traffic]': '350.5' })
    await field('Storage').fill('a lot')
    await page.getByText(app.t('billing.assumeWrong'), { exact: true }).waitFor()
    await field('Traffic').fill('20')
    await expect.poll(() => asked.at(-1)).toEqual({ 'usage[cloud_traffic]': '20' })
    expect(asked.flatMap((usage) => Object.keys(usage))).not.toContain('usage[cloud_storage]')
    await app.button(app.t('billing.assumeLeave')).click()
    await page.getByText(app.t('billing.assumeNone'), { exact: true }).waitFor()
  })

  it('is not asked for at every step of a clock that is on its way, and again when it is there', async () => {
    const timesAsked = (call: Call) => server.asked.filter((path) => path === call.path).length
    const customer = server.answers.get(customerInfo) as object // an answer of the sample
    const { page, app } = await openTab({}, '/sandbox')
    const travel = app.button(app.t('billing.toDay'))
    await travel.waitFor()
    await waitForRest(page, { loaded: true })
    server.answers.set(customerInfo, { ...customer, travel: { to: new Date().toISOString(), stoppedBefore: [] } })
    const before = timesAsked(forecast)
    // Every answer makes what is on the page old, as each step of the clock does.
    for (let press = 0; press < 6; press += 1) {
      const known = timesAsked(customerInfo)
      await travel.click()
      await expect.poll(() => timesAsked(customerInfo)).toBeGreaterThan(known)
      await page.getByText(app.t('billing.onItsWay')).waitFor()
    }
    const during = timesAsked(forecast)
    // The first time it was asked before it was known, and maybe once more for the stream of changes.
    expect(during - before).toBeLessThanOrEqual(2)
    server.answers.set(customerInfo, customer)
    await travel.click()
    await page.getByText(app.t('billing.onItsWay')).waitFor({ state: 'hidden' })
    await expect.poll(() => timesAsked(forecast)).toBeGreaterThan(during)
  })
})
