import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { statusLabels } from '@atoll/texts/statuses'
import type { Locator, Page } from 'playwright-core'
import { consoleTexts } from '../texts.ts'

/** The console as a person uses it: by what the screen says. */
export function consoleApp(page: Page, locale: Locale) {
  const t = consoleTexts(locale)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const button = (name: string, inside: Page | Locator = page) => inside.getByRole('button', { name, exact: true })
  const link = (name: string, inside: Page | Locator = page) => inside.getByRole('link', { name, exact: true })
  /** An action where the page has it for several things, as it names its object: 'Restart Rangiroa'. */
  const action = (verb: 'activate' | 'start' | 'stop' | 'restart' | 'retry' | 'repair', name: string) =>
    button(t('common.actOn', { action: t(`action.${verb}`), name }), card(name))
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const code = () => page.getByRole('img', { name: t('login.code') })

  return {
    t,
    heading,
    button,
    action,
    link,
    card,
    dialog,
    /** The code on the sign-in page. */
    code,

    async openSignIn(origin: string): Promise<void> {
      await page.goto(origin)
      await heading(t('login.title')).waitFor()
      await code().waitFor()
    },

    /** The text of the code, as the copy button puts it on the clipboard. */
    async copyCode(): Promise<string> {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(t('login.copyCode')).click()
      await button(t('login.copiedCode')).waitFor()
      return await page.evaluate<string>('navigator.clipboard.readText()')
    },

    /** The two digits beside the code, once they are there. */
    async matchNumber(): Promise<string> {
      const term = page.getByRole('term').filter({ hasText: t('login.matchNumber') })
      const figure = term.locator('xpath=following-sibling::dd').filter({ hasText: /^[0-9]{2}$/ })
      return await figure.innerText()
    },

    /** It is said for a second once the code is approved: to be awaited from before that. */
    async waitUntilScanned(): Promise<void> {
      await page.getByText(t('login.scanned'), { exact: true }).first().waitFor()
    },

    async waitUntilSignedIn(): Promise<void> {
      await this.waitUntilScanned()
      await page.waitForURL((url) => url.pathname === '/')
    },

    async signOut(name: string): Promise<void> {
      await button(t('shell.accountMenu', { name })).click()
      await page.getByRole('menuitem', { name: t('shell.signOut') }).click()
      await heading(t('login.title')).waitFor()
    },

    /**
     * Presses through every step of ordering a Cloud cluster with what is offered first, where there is one version.
     */
    async createCluster(name: string): Promise<void> {
      const ways = link(t('home.create')).or(link(t('shell.create')))
      await ways.first().click()
      await heading(t('create.flavourTitle')).waitFor()
      await link(t('create.toHardware')).click()
      await heading(t('create.hardwareTitle')).waitFor()
      await link(t('create.toReview')).click()
      await heading(t('create.reviewTitle')).waitFor()
      await page.getByLabel(t('create.name'), { exact: true }).fill(name)
      await button(t('create.do', { name })).click()
    },

    /** Waits until the cluster's card shows the status, without asking for the page again. */
    async waitForStatus(name: string, status: ClusterStatus): Promise<void> {
      const label = statusLabels[locale][status]
      await card(name).getByText(label, { exact: true }).first().waitFor()
    },

    /** Presses an action of the card and, when it asks, the answer that goes on. */
    async act(name: string, verb: 'stop' | 'start' | 'restart'): Promise<void> {
      await action(verb, name).click()
      if (verb === 'start') return
      const question = dialog(t(`dialog.${verb}Title`, { name }))
      await button(t(`dialog.${verb}Do`), question).click()
      await question.waitFor({ state: 'hidden' })
    },

    /** The text of the activation dialog, with the page that its button opens. */
    async openActivation(name: string): Promise<{ password: string; wizard: Page }> {
      await action('activate', name).click()
      const box = dialog(t('dialog.activateTitle', { name }))
      const fact = (label: string) => box.getByRole('term').filter({ hasText: label }).locator('xpath=following::dd[1]')
      const opener = link(t('dialog.activateOpen'), box)
      await opener.waitFor()
      const password = await fact(t('dialog.activatePassword')).innerText()
      const [wizard] = await Promise.all([page.context().waitForEvent('page'), opener.click()])
      return { password, wizard }
    },

    async destroy(name: string): Promise<void> {
      await button(t('common.more', { name }), card(name)).click()
      await page.getByRole('menuitem', { name: t('action.destroyMaster') }).click()
      const question = dialog(t('dialog.destroyTitle', { name }))
      await question.getByRole('textbox').fill(name)
      await button(t('dialog.destroyDo'), question).click()
      await question.waitFor({ state: 'hidden' })
    },
  }
}
