/**
 * The steps of a custom domain as people take them: a console on a desk, our wallet on a phone beside it, and what both
 * show meanwhile.
 */
import { toDomainBase } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import type { ServerProcess } from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { picturesOf } from '../accessibility.ts'
import { desktop, openScreen, phone } from '../browser.ts'
import { type ConsoleTab, openTab } from '../console-tab.ts'
import { createPerson } from '../people.ts'
import { walletApp } from './wallet-app.ts'

/** For one server, in one browser. */
export function domainWalk(server: ServerProcess, browser: Browser) {
  /** A wallet on a phone that has these words, without an ID. */
  async function openWallet(locale: Locale, mnemonic: string) {
    const scheme = locale === 'zh-CN' ? 'dark' : 'light'
    const { page } = await openScreen(browser, { locale, viewport: phone, scheme })
    const wallet = walletApp(page, locale)
    await wallet.importIdentity(server.walletUrl, mnemonic)
    return { page, wallet }
  }

  /** Somebody without an ID, whose wallet lies beside the console. */
  async function arrive(locale: Locale) {
    const person = await createPerson(server.url, { name: null, withNumber: true })
    const tab = await openTab(browser, server.url, { locale, viewport: desktop, accounts: [person.session] })
    return { ...person, tab, phone: await openWallet(locale, person.wallet.mnemonic) }
  }
  type Owner = Awaited<ReturnType<typeof arrive>>

  /** The heading of the step that the page shows. */
  const step = ({ page, app }: ConsoleTab, title: Parameters<ConsoleTab['app']['t']>[0]) =>
    page.getByRole('heading', { level: 2, name: app.t(title), exact: true }).waitFor()
  /** Presses as soon as five seconds have passed since the last time. */
  const checkNow = ({ page, app }: ConsoleTab) =>
    page.locator('button:not([aria-disabled=true])', { hasText: app.t('domains.checkNow') }).click()
  const picture = picturesOf('domain')

  /** The records of a kind that the page shows, as lines of a zone file. */
  async function readRecords({ page }: ConsoleTab, type: 'TXT' | 'NS' | 'CNAME'): Promise<string[]> {
    const rows = page.locator('[aria-labelledby=records] tbody tr').filter({ hasText: type })
    await rows.first().waitFor()
    const texts = await Promise.all((await rows.all()).map((row) => row.locator('code').allInnerTexts()))
    // The part for the provider's field, the full name, and the value.
    return texts.map(([, name = '', value = '']) => {
      return type === 'TXT' ? `${name}. TXT "${value}"` : `${name}. ${type} ${value}.`
    })
  }

  /** The wallet's signatures, from its link to the credential that is presented. */
  async function signInWallet({ tab, phone: { page, wallet } }: Owner, domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await heading(t('domain.linkTitle'))
    await page.getByText(domain, { exact: true }).waitFor()
    await press(t('domain.link'))
    await heading(t('domain.WAIT_REQUEST_VC'))
    await press(t('approve.show'))
    await page.getByText(`"domain": "${domain}"`).waitFor()
    await picture(page, `${domain}-wallet-apply`)
    await press(t('domain.apply'))
    await Promise.all([heading(t('domain.WAIT_SUBMIT_VP')), step(tab, 'domains.stepPresent')])
    await picture(page, `${domain}-wallet-present`)
    await press(t('domain.present'))
    await Promise.all([heading(t('domain.WAIT_RULE_SET')), step(tab, 'domains.stepRule')])
    await picture(page, `${domain}-wallet-rule`)
  }

  /** Takes the first ID; both screens go on without a press. */
  async function takeName({ tab, phone: { page, wallet } }: Owner, local: string, domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await Promise.all([heading(t('domain.BIND')), step(tab, 'domains.stepId')])
    await tab.page.getByText(tab.app.t('domains.gmail'), { exact: true }).waitFor()
    await page.getByLabel(t('bind.label'), { exact: true }).fill(local)
    await page.getByText(t('bind.free', { name: `${local}@${domain}` }), { exact: true }).waitFor()
    await picture(page, `${domain}-wallet-id`)
    await press(t('domain.takeName'))
    await heading(t('domain.ALLOCATED'))
    await tab.page.getByText(`${local}@${domain}`, { exact: true }).first().waitFor()
  }

  async function readCredential({ page, wallet }: Owner['phone'], standing: 'valid' | 'revoked'): Promise<void> {
    await page.getByRole('link', { name: wallet.t('act.close') }).click()
    await wallet.press(wallet.t('credentials.title'))
    await page.getByText(wallet.t(`credentials.${standing}`), { exact: true }).waitFor()
  }

  /** Opens the domain in a wallet that was closed meanwhile. */
  async function openInWallet({ page, wallet }: Owner['phone'], domain: string): Promise<void> {
    const { t, press, heading } = wallet
    await page.goto(`${server.walletUrl}/domain/${toDomainBase(domain)}`)
    await page.getByRole('group', { name: t('passcode.keypad') }).waitFor()
    await wallet.typePasscode()
    await heading(t('domain.linkTitle'))
    await press(t('domain.link'))
  }

  /** From the offer to the heir's own page: both sign. */
  async function handOn(
    { tab: { page, app }, phone: pocket }: Pick<Owner, 'tab' | 'phone'>,
    heir: Pick<Owner, 'tab' | 'phone'>,
    { domain, name }: { domain: string; name: string },
  ): Promise<void> {
    await app.button(app.t('domains.transfer.act')).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator(`option[value=${name}]`).waitFor({ state: 'attached' })
    await dialog.getByRole('combobox').fill(name)
    await picture(page, 'offering')
    await app.button(app.t('domains.transfer.offer'), dialog).click()
    await page.getByText(app.t('domains.transfer.waitsForYou')).waitFor()
    await picture(page, 'offered')
    await heir.tab.page.goto('/domains')
    await heir.tab.page.getByRole('button', { name: heir.tab.app.t('domains.transfer.decline') }).waitFor()
    await picture(heir.tab.page, 'offer')

    await openInWallet(pocket, domain)
    await pocket.wallet.heading(pocket.wallet.t('domain.handOn'))
    await picture(pocket.page, 'wallet-hand-on')
    await pocket.wallet.press(pocket.wallet.t('domain.handOnSign'))
    await page.getByText(app.t('domains.transfer.waitsForThem')).waitFor()

    const { page: screen, wallet } = heir.phone
    await openInWallet(heir.phone, domain)
    await wallet.heading(wallet.t('domain.takeOver'))
    await picture(screen, 'wallet-take-over')
    await wallet.press(wallet.t('domain.takeOverSign'))
    await wallet.heading(wallet.t('domain.ALLOCATED'))
    // The former owner keeps the ID and no page.
    await app.heading(app.t('domains.goneTitle')).waitFor()
    await heir.tab.page.goto(`/domain/${toDomainBase(domain)}`)
    await heir.tab.page.getByText(`${name}@${domain}`, { exact: true }).first().waitFor()
  }

  async function giveUp({ page, app }: ConsoleTab, domain: string): Promise<void> {
    await app.button(app.t('domains.giveUp')).click()
    const question = page.getByRole('dialog')
    await question.getByRole('textbox').fill(domain)
    await app.button(app.t('domains.remove'), question).click()
    await page.waitForURL((url) => url.pathname === '/domains')
    await app.heading(app.t('domains.emptyTitle')).waitFor()
    await page.goto(`/domain/${toDomainBase(domain)}`)
    await app.heading(app.t('domains.goneTitle')).waitFor()
  }

  return {
    openWallet,
    arrive,
    step,
    checkNow,
    picture,
    readRecords,
    signInWallet,
    takeName,
    readCredential,
    handOn,
    giveUp,
  }
}
