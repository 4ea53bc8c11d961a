/**
 * An operator's acts from the console to their wallet on another device and back: the dialog shows a code, the wallet
 * says what it asks, and only what was signed there is done. Once in each language.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { userHolds } from '@atoll/contract/accounts'
import { customerInfo } from '@atoll/contract/billing'
import { codeFromFragment } from '@atoll/contract/identity'
import { approvalDeliver, approvalRead } from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { createApiClient, createSignInCode, operatorProgram } from '@atoll/testkit'
import { actSentence } from '@atoll/texts/acts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturesOf } from '../stack/accessibility.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, openScreen, phone } from '../stack/browser.ts'
import { createPerson, freshName, type Person } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true, sql: true })
const picture = picturesOf('approved-acts')

/** The operator's command, as typed on the server's machine while the server runs. */
async function runAdmin(...args: string[]): Promise<void> {
  const env = { ...process.env, ...stack.settings, ATOLL_DATA_DIR: stack.server.dataDir }
  await promisify(execFile)(process.execPath, [operatorProgram('admin/admin.ts'), ...args], { env })
}

const locale = 'zh-CN'
describe('an operator’s act', () => {
  const id = freshName()
  let customer: Person
  let accountId: string
  let page: Page
  let app: ReturnType<typeof consoleApp>
  let pocket: Page
  let wallet: ReturnType<typeof walletApp>
  let complaints: string[]
  beforeAll(async () => {
    const large = await openScreen(stack.browser, { locale, viewport: desktop })
    ;({ page, complaints } = large)
    app = consoleApp(page, locale)
    pocket = (await openScreen(stack.browser, { locale, viewport: phone })).page
    wallet = walletApp(pocket, locale)
    customer = await createPerson(stack.server.url)
    const { rows } = await stack.sql.query('select account_id from accounts where did = $1', [customer.session.userid])
    accountId = rows[0].account_id
    await wallet.createIdentity(stack.server.walletUrl, id)
    await wallet.goHome()
    await app.openSignIn(stack.server.url)
    const [text, number] = [await app.copyCode(), await app.matchNumber()]
    await wallet.pasteCode(text)
    await wallet.approve(number)
    await Promise.all([app.waitUntilSignedIn(), wallet.waitUntilSigned()])
    await wallet.goHome()
    await runAdmin('staff', id, 'operator')
  })
  afterAll(async () => {
    await page?.context().close()
    await pocket?.context().close()
  })

  const t = (...args: Parameters<typeof app.t>) => app.t(...args)
  const dialog = () => page.getByRole('dialog')
  const fill = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
  /** The text of the code, as the link to the wallet on the same device carries it. */
  async function readCode(): Promise<string> {
    const link = app.link(t('operator.openWallet'), dialog())
    const { hash } = new URL((await link.getAttribute('href')) ?? '')
    return codeFromFragment(hash)
  }
  async function openCustomer(): Promise<void> {
    await page.goto(`${stack.server.url}/operator/customers/${accountId}`)
    const ask = app.button(t('operator.whyOpen'), dialog())
    const act = app.button(t('operator.creditOrRefund'))
    await ask.or(act).first().waitFor()
    if (!(await ask.isVisible())) return
    await fill(t('operator.lookReason'), 'ticket 1042')
    await ask.click()
    await act.waitFor()
  }
  /** Fills in a credit, and gives the code that is shown. */
  async function askCredit(amount: string): Promise<string> {
    await openCustomer()
    await app.button(t('operator.creditOrRefund')).click()
    await fill(t('operator.amountIn', { currency: 'USD' }), amount)
    await fill(t('operator.reason'), 'an outage of an hour')
    await app.button(t('operator.approve'), dialog()).click()
    return await readCode()
  }
  /** Scans the code with the wallet, which must say `says`, and approves. */
  async function approveInWallet(code: string, says: readonly string[]): Promise<void> {
    await wallet.pasteCode(code)
    await wallet.heading(wallet.t('approveAct.title'))
    for (const text of says) await pocket.getByText(text, { exact: true }).first().waitFor()
    await wallet.press(wallet.t('approve.approve'))
    await wallet.heading(wallet.t('approveAct.done'))
    await wallet.press(wallet.t('act.done'))
  }
  const balance = async () => (await customer.api.ask(customerInfo, {})).cashBalance

  it('credits what the wallet was shown, to whom it was shown', async () => {
    const before = await balance()
    const code = await askCredit('12.50')
    const { name = '' } = customer
    const asked = { act: 'credit', object: 'cash', amount: 1250, currency: 'usd' } as const
    const sentence = actSentence(asked, name, locale) ?? ''
    expect(sentence).toContain('12.50')
    await picture(page, `${locale}-code`)
    await page.getByText(t('operator.scan', { act: sentence }), { exact: true }).waitFor()
    await wallet.pasteCode(code)
    await pocket.getByText(sentence, { exact: true }).waitFor()
    await picture(pocket, `${locale}-wallet`)
    await page.getByText(t('operator.scanned'), { exact: true }).waitFor()
    await wallet.press(wallet.t('approve.decline'))
    await page.getByText(t('operator.declined'), { exact: true }).waitFor()
    expect(await balance()).toBe(before)

    await app.button(t('operator.askAgain'), dialog()).click()
    await app.button(t('operator.approve'), dialog()).click()
    await approveInWallet(await readCode(), [sentence, name, 'an outage of an hour', id])
    await dialog().waitFor({ state: 'hidden' })
    expect(await balance()).toBe(before - 1250)
  })

  it('suspends, and the customer reads why', async () => {
    await openCustomer()
    await app.button(t('operator.suspend')).click()
    await fill(t('operator.customerReads'), 'Tell us why it sends so many mails.')
    await fill(t('operator.reason'), 'reported by three hosts')
    await app.button(t('operator.approve'), dialog()).click()
    const { name = '' } = customer
    const sentence = actSentence({ act: 'suspend', object: 'servers' }, name, locale) ?? ''
    await approveInWallet(await readCode(), [sentence, name, 'reported by three hosts'])
    await dialog().waitFor({ state: 'hidden' })
    expect(await customer.api.ask(userHolds, {})).toMatchObject([{ text: 'Tell us why it sends so many mails.' }])
  })

  it('gives a colleague a role', async () => {
    const colleague = await createPerson(stack.server.url)
    const { name = '' } = colleague
    await page.goto(`${stack.server.url}/operator/staff`)
    await app.button(t('operator.staffAddShort')).click()
    await fill(t('operator.staffWho'), name)
    await fill(t('operator.reason'), 'joins on Monday')
    await app.button(t('operator.approve'), dialog()).click()
    const sentence = actSentence({ act: 'staffChange', object: 'support' }, name, locale) ?? ''
    await approveInWallet(await readCode(), [sentence, 'joins on Monday'])
    await dialog().waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: name }).first().waitFor()
    const { rows } = await stack.sql.query(
      `select staff.role from staff join accounts using (account_id) where did = $1 and ended_at is null`,
      [colleague.session.userid],
    )
    expect(rows).toEqual([{ role: 'support' }])
  })

  it('is not approved by the wallet of somebody else, nor where another name is shown than is signed', async () => {
    const code = await askCredit('3.00')
    await using stranger = await openOther()
    await stranger.app.pasteCode(code)
    await stranger.page.getByText(stranger.app.t('approve.otherDid'), { exact: true }).waitFor()
    expect(await stranger.page.getByRole('button', { name: wallet.t('approve.approve') }).isDisabled()).toBe(true)

    await pocket.route(
      `**${approvalRead.path}`,
      async (route) => {
        const answer = await (await route.fetch()).json()
        await route.fulfill({ json: { ...answer, data: { ...answer.data, name: 'somebody.else@atoll.test' } } })
      },
      { times: 1 },
    )
    await wallet.pasteCode(code)
    await pocket.getByText(wallet.t('approveAct.wrongName'), { exact: true }).waitFor()
    expect(await pocket.getByRole('button', { name: wallet.t('approve.approve') }).isDisabled()).toBe(true)
    await wallet.press(wallet.t('approve.decline'))

    async function openOther() {
      const { page: otherPage } = await openScreen(stack.browser, { locale, viewport: phone })
      const other = walletApp(otherPage, locale)
      await other.createIdentity(stack.server.walletUrl, freshName())
      await other.goHome()
      return { page: otherPage, app: other, [Symbol.asyncDispose]: () => otherPage.context().close() }
    }
  })

  it('is not approved by a sign-in, nor once its time is over', async () => {
    const before = await balance()
    const code = await askCredit('4.00')
    const { jws } = customer.wallet.approval(createSignInCode(stack.server.url).request)
    const answer = await createApiClient(stack.server.url).send(approvalDeliver, { jws })
    expect(answer.code).toBe(codes.badParameter)
    await stack.sql.query(`update approvals set expires_at = now() where used_at is null and declined_at is null`)
    await wallet.pasteCode(code)
    await pocket.getByText(wallet.t('approveAct.gone'), { exact: true }).waitFor()
    await page.getByText(t('operator.expired'), { exact: true }).waitFor()
    expect(await balance()).toBe(before)
    expect(complaints).toEqual([])
  })
})
