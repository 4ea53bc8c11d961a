/** A person's money on a real server: what is shown, ordered, charged by a real card page, and given back. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  customerInfo,
  forecast,
  getEstimatedAmount,
  getEstimatedRefundAmount,
  invoicesDetail,
  invoicesPage,
  paymentPay,
  planShow,
  subscriptionsPage,
  timeTravel,
} from '@atoll/contract/billing'
import { createCluster, destroyMaster } from '@atoll/contract/clusters'
import { paymentMethodAdd, paymentMethodDefault, paymentMethodList } from '@atoll/contract/payments'
import { codes } from '@atoll/contract/wire'
import { listInstanceFolders, operatorProgram, repositoryRoot, until } from '@atoll/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterPage } from '../stack/apps/cluster-page.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, openScreen } from '../stack/browser.ts'
import { composeOrder, findCluster, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { openTab } from '../stack/console-tab.ts'
import { createPerson, type Person } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { useStack } from '../stack/use-stack.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-money-'))
const stack = useStack({
  browser: true,
  sql: true,
  env() {
    const catalog = join(folder, 'catalog.yaml')
    const coupons = '\ncoupons: [{ code: HALF, percentOff: 50, duration: forever, appliesTo: [instance] }]\n'
    writeFileSync(catalog, readFileSync(join(repositoryRoot, 'catalog.yaml'), 'utf8') + coupons)
    return { ATOLL_CATALOG: catalog }
  },
})
let page: Page
beforeAll(async () => {
  page = (await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })).page
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Numbers that were typed somewhere. */
const used = new Set<string>()

const bay = { cloudName: 'bay', regionId: 'bay', offering: 'bay-2' }

/** Enters a card on the hosted page, as a person does. */
async function addCard({ api }: Person, number: string): Promise<void> {
  used.add(number)
  const { url } = await api.ask(paymentMethodAdd, {})
  await page.goto(url)
  await page.locator('[name=number]').fill(number)
  await page.locator('[name=expiry]').fill('12/34')
  await page.locator('[name=cvc]').fill('123')
  await page.locator('button.primary').click()
  await until('the card is on file', async () => {
    const { methods } = await api.ask(paymentMethodList, {})
    return methods.some(({ cardLast4 }) => number.endsWith(cardLast4))
  })
}

/** Orders the smallest that costs, at the figure that was shown. */
async function order({ api }: Person) {
  const { amount, estimateToken } = await api.ask(getEstimatedAmount, { kind: 'cluster', offering: bay.offering })
  const placed = await api.ask(createCluster, await composeOrder(api, { ...bay, estimateToken }))
  return { ...placed, shown: amount, invoiceId: placed.invoiceId ?? '' }
}

/** A describe block of the file that calls it: orders that are paid, declined and confirmed at the bank. */
export function describeOrders(): void {
  describe('an order', () => {
    it('without a card starts nothing, is paid by the card that is added, and gives back what was shown', async () => {
      const person = await createPerson(stack.server.url)
      const { api } = person
      const before = listInstanceFolders(stack.server.dataDir)
      const { clusterId, invoiceId, shown, ...placed } = await order(person)
      expect(placed).toMatchObject({ status: 'unpaid', paid: false, amount: 720 })
      expect(shown).toBe(720)
      expect(listInstanceFolders(stack.server.dataDir)).toEqual(before)

      await addCard(person, '4242424242424242')
      const paid = await api.ask(paymentPay, { invoiceId })
      expect(paid).toMatchObject({ paid: true, status: 'succeeded' })
      await waitForStatus(api, clusterId, ['inactivated'])
      const invoice = await api.ask(invoicesDetail, { invoiceId: paid.invoiceId })
      expect(invoice).toMatchObject({ status: 'paid', amount: shown, paidBy: ['card'] })

      const refund = await api.ask(getEstimatedRefundAmount, { clusterId })
      const { estimateToken } = refund
      await api.ask(destroyMaster, { clusterId, confirm: true, estimateToken })
      await waitUntilGone(api, clusterId)
      // Below zero: the customer's credit.
      expect((await api.ask(customerInfo, {})).cashBalance).toBe(-refund.amount)
      expect(refund.amount).toBeGreaterThan(700)
    })

    it('that the card declines stays unpaid, in words, and is charged to another card', async () => {
      const person = await createPerson(stack.server.url)
      await addCard(person, '4000000000000341')
      const { clusterId, invoiceId } = await order(person)
      expect((await findCluster(person.api, clusterId))?.status).toBe('unpaid')
      const declined = await person.api.ask(paymentPay, { invoiceId })
      expect(declined).toMatchObject({ paid: false, status: 'declined' })
      expect(declined.reason).toMatch(/\w+ \w+/)
      await addCard(person, '5555555555554444')
      const { methods } = await person.api.ask(paymentMethodList, {})
      const other = methods.find(({ cardLast4 }) => cardLast4 === '4444')
      expect(await person.api.ask(paymentPay, { invoiceId, methodId: other?.id ?? '' })).toMatchObject({ paid: true })
      await waitForStatus(person.api, clusterId, ['inactivated'])
    })

    it('whose bank asks is confirmed on its page', async () => {
      const person = await createPerson(stack.server.url)
      await addCard(person, '4000000000003220')
      const placed = await order(person)
      expect(placed).toMatchObject({ paid: false, status: 'unpaid' })
      await page.goto(placed.actionUrl ?? 'about:blank')
      await page.locator('button.primary').click()
      await waitForStatus(person.api, placed.clusterId, ['inactivated'])
      const { subscriptions } = await person.api.ask(subscriptionsPage, {})
      expect(subscriptions).toMatchObject([{ kind: 'cluster', status: 'active', amount: 720 }])
    })
  })
}

/** A test of the file that calls it: a month goes by with a card that pays nothing. */
export function testPastDue(): void {
  it('that is past due stops the cluster and offers no creating, and one press brings both back', async () => {
    const person = await createPerson(stack.server.url)
    const { api } = person
    await addCard(person, '4242424242424242')
    const { clusterId } = await order(person)
    await waitForStatus(api, clusterId, ['inactivated'])
    await addCard(person, '4000000000000341')
    const cardEnding = async (last4: string) =>
      (await api.ask(paymentMethodList, {})).methods.find(({ cardLast4 }) => cardLast4 === last4)?.id ?? ''
    await api.ask(paymentMethodDefault, { id: await cardEnding('0341') })
    // A month, and the five days of the tries.
    await api.ask(timeTravel, { to: new Date(Date.now() + 40 * 86_400_000).toISOString() })
    await waitForStatus(api, clusterId, ['waiting_destroy'])
    expect(await api.ask(customerInfo, {})).toMatchObject({ standing: 'overdue' })
    const selfHost = { clusterType: 'SelfHost', reverseProxy: 'none', address: '192.0.2.7' } as const
    expect(await api.send(createCluster, selfHost)).toMatchObject({ code: codes.conflict })

    const screen = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
    await holdSession(screen.context, person.session)
    const app = consoleApp(screen.page, 'en-US')
    await screen.page.goto(stack.server.url)
    const create = app.button(app.t('home.create'), screen.page.locator('main'))
    await create.waitFor()
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
    expect(await create.getAttribute('data-tip')).toBe(app.t('shell.createWaits'))

    const bill = await app.link(app.t('shell.pastDuePay', { amount: '$7.20' })).getAttribute('href')
    await api.ask(paymentMethodDefault, { id: await cardEnding('4242') })
    // The new card may be tried at once: then the notice with its link has gone, and the bill says that it is paid.
    await screen.page.goto(new URL(bill ?? '', stack.server.url).href)
    const pay = app.button(app.t('payment.pay', { amount: '$7.20' }))
    await Promise.race([pay.click(), screen.page.getByText(app.t('payment.paid'), { exact: true }).first().waitFor()])
    await waitForStatus(api, clusterId, ['inactivated'])
    await screen.page.goto(stack.server.url)
    await app.link(app.t('home.create'), screen.page.locator('main')).waitFor()
    expect((await api.ask(customerInfo, {})).standing).toBe('clear')
  })
}

/** The last amount that a part of a page says, minor units. */
async function lastAmount(part: Locator): Promise<number> {
  const amounts = (await part.innerText()).match(/\$\d+\.\d\d/g) ?? []
  return Math.round(Number(amounts.at(-1)?.slice(1)) * 100)
}

/** Presses the button of `dialog` that names what is paid; gives that, minor units. */
async function pressPay(
  { t }: ReturnType<typeof consoleApp>,
  text: 'create.payDo' | 'billing.payAmount',
  dialog: Locator,
): Promise<number> {
  const words = new RegExp(`^${t(text, { amount: '\\$[0-9.]+' })}$`)
  const press = dialog.getByRole('button', { name: words })
  const amount = await lastAmount(press)
  await press.click()
  return amount
}

/** Signs a person in who has a card and a cluster to activate, and opens the console for them. */
async function openSpender() {
  const person = await createPerson(stack.server.url)
  const { api, session } = person
  await addCard(person, '4242424242424242')
  const { clusterId } = await order(person)
  const { name } = await waitForStatus(api, clusterId, ['inactivated'])
  return { api, session, name, tab: await openTab(stack.browser, stack.server.url, { accounts: [session] }) }
}

/** A test of the file that calls it: a person spends, on every page that has to do with money. */
export function testSpending(): void {
  it('is spent and seen on the pages: a coupon, and a worker that is destroyed again', async () => {
    const { api, session, name, tab } = await openSpender()
    const billed = async () => (await api.ask(invoicesPage, { kind: 'order' })).invoices[0]
    const { t, button } = tab.app
    const at = clusterPage(tab.page, 'en-US')
    await tab.page.goto('/billing')
    await button(t('billing.redeem')).click()
    await tab.page.getByLabel(t('billing.couponCode'), { exact: true }).fill('half')
    await button(t('billing.redeemDo')).click()
    await tab.page
      .getByText(t('billing.redeemed', { code: 'HALF' }), { exact: true })
      .first()
      .waitFor()

    const other = await openTab(stack.browser, stack.server.url, { accounts: [session] })
    await other.page.goto('/bill')
    await other.page.locator('tbody > tr').first().waitFor()
    await tab.page.goto('/')
    await at.open(name)
    const shown = await pressPay(tab.app, 'create.payDo', await at.askForWorkers(name, 1))
    await at.waitForStatus(at.worker(1), 'running')
    expect(shown).toBeGreaterThan(350)
    expect(await billed()).toMatchObject({ status: 'paid', amount: shown })
    // In every tab, without being asked.
    const paidRow = other.page.locator('tbody > tr').filter({ hasText: `$${(shown / 100).toFixed(2)}` })
    await paidRow.getByText(t('money.invoicePaid'), { exact: true }).first().waitFor()
    await at.choose(name, at.worker(1), t('action.destroyWorker'))
    const question = tab.page.getByRole('dialog')
    const table = question.getByRole('list', { name: t('dialog.refundLabel') })
    await table.waitFor()
    const back = await lastAmount(table)
    await button(t('dialog.destroyWorkerDo'), question).click()
    await at.row(at.worker(1)).waitFor({ state: 'detached' })
    expect((await api.ask(customerInfo, {})).cashBalance).toBe(-back)
    expect(back).toBeGreaterThan(350)
    expect([...tab.complaints, ...other.complaints]).toEqual([])
  })

  it('is spent on a plan, which is lowered and kept, and is capped', async () => {
    const { api, tab } = await openSpender()
    const { t, button } = tab.app
    // A change of an account waits until a forecast that is being made has let go of its lock.
    const says = (text: string) => tab.page.getByText(text, { exact: true }).first().waitFor()

    await tab.page.goto('/billing')
    await button(t('billing.upgradeTo', { plan: 'Starter' })).click()
    expect(await pressPay(tab.app, 'billing.payAmount', tab.page.getByRole('dialog'))).toBe(300)
    await says(t('billing.planRaised', { plan: 'Starter' }))
    expect(await api.ask(planShow, {})).toMatchObject({ planLevel: 1 })
    await tab.page.getByRole('button', { name: /Free$/ }).click()
    await button(t('billing.downDo', { plan: 'Free' })).click()
    await tab.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await button(t('billing.stay', { plan: 'Starter' })).click()
    await until('the lower plan is taken back', async () => (await api.ask(planShow, {})).pending === null)

    // Each plan has a default cap.
    await button(t('billing.capChange')).click()
    await tab.page.getByLabel(t('billing.capAmount'), { exact: true }).fill('12.50')
    await button(t('billing.capSave')).click()
    await says('$12.50')
    expect(tab.complaints).toEqual([])
  })

  it('is billed a month ahead as the forecast says, and stands in a statement that is checked', async () => {
    const { api, tab } = await openSpender()
    const { t, button } = tab.app
    await tab.page.goto('/billing')
    const { documents } = await api.ask(forecast, { months: 2, cards: 'pay' })
    await tab.page.goto('/sandbox')
    await button(t('billing.toMonth')).click()
    const renewal = await until(
      'the month is billed',
      async () => (await api.ask(invoicesPage, { kind: 'renewal' })).invoices[0],
    )
    expect(documents.map(({ amount }) => amount)).toContain(renewal.amount)
    await tab.page.goto('/balanceDetail')
    const isThere = async () => (await api.ask(customerInfo, {})).travel === undefined
    await until('the clock is there', isThere)
    const command = (await tab.page.locator('code').filter({ hasText: 'npx' }).innerText()).split(' ')
    const [download] = await Promise.all([tab.page.waitForEvent('download'), button(t('money.statement')).click()])
    const statement = join(folder, download.suggestedFilename())
    await download.saveAs(statement)
    // As the page says it; nothing else is fetched.
    const verify = () =>
      promisify(execFile)('npx', ['--yes', ...command.slice(1)], {
        cwd: folder,
        env: { ...process.env, npm_config_cache: join(folder, 'npm'), npm_config_registry: 'http://127.0.0.1:9' },
      })
    expect((await verify()).stdout).toMatch(/^Sound: \d+ records in one chain, /)
    writeFileSync(statement, readFileSync(statement, 'utf8').replace('720', '721'))
    await expect(verify()).rejects.toMatchObject({ code: 1 })
    expect(tab.complaints).toEqual([])
  })
}

/**
 * A test of the file that calls it, after all others: there are so many `books`, or more where a test was tried again,
 * and a card with these digits is kept.
 */
export function testBooks({ books, last4 }: { books: number; last4: string }): void {
  it('adds up in every book, and no number of a card is kept anywhere', async () => {
    const verify = operatorProgram('books/ledger-verify.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [verify, '--gateway'], {
      env: { ...process.env, ...stack.settings },
    })
    const counted = /^Whole: \d+ transactions in (\d+) books?\.$/m.exec(stdout)?.[1]
    expect(Number(counted)).toBeGreaterThanOrEqual(books)
    expect(stdout).toMatch(/^The gateway sandbox says the same of [1-9]\d* payments, 0 refunds and 0 disputes\.$/m)

    const { rows: tables } = await stack.sql.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
    let kept = stack.server.log.join('\n')
    for (const { name } of tables) {
      const { rows } = await stack.sql.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      kept += rows.map(({ row }) => row).join('\n')
    }
    // Otherwise nothing of cards was read.
    expect(kept).toContain(last4)
    for (const number of used) expect(kept).not.toContain(number)
  })
}
