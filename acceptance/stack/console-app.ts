import { type ClusterStatus, type Locale, statusTable } from '@atoll/contract'
import type { Locator, Page } from 'playwright-core'
import { consoleTexts, names } from './texts.ts'

/** The console as a person uses it: by what the screen says. */
export function consoleApp(page: Page, locale: Locale) {
  const t = consoleTexts(locale)
  const { product, wallet } = names
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const button = (name: string, inside: Page | Locator = page) => inside.getByRole('button', { name, exact: true })
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  const label = (status: ClusterStatus) => statusTable[status].label[locale]

  return {
    t,
    heading,
    button,
    card,
    label,

    /** The code on the sign-in page. */
    code: () => page.getByRole('img', { name: t('login.code', { wallet }) }),

    async openSignIn(origin: string): Promise<void> {
      await page.goto(origin)
      await heading(t('login.title'))
      await this.code().waitFor()
    },

    /** The text of the code as the copy button puts it on the clipboard. */
    async copyCode(): Promise<string> {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(t('login.copyCode')).click()
      await button(t('login.copiedCode')).waitFor()
      return await page.evaluate('navigator.clipboard.readText()')
    },

    async waitUntilSignedIn(): Promise<void> {
      await page.getByText(t('login.scanned'), { exact: true }).waitFor()
      await heading(t('home.title'))
    },

    /** Presses through every step of ordering a Cloud cluster with what is offered first. */
    async createCluster(name: string): Promise<void> {
      await page.getByRole('link', { name: t('home.create', { product }), exact: true }).click()
      await heading(t('create.flavourTitle'))
      await button(t('create.toHardware')).click()
      await heading(t('create.hardwareTitle'))
      await page.getByText('This machine', { exact: true }).first().waitFor()
      await button(t('create.toVersion')).click()
      await heading(t('create.versionTitle'))
      await button(t('create.toReview')).click()
      await heading(t('create.reviewTitle'))
      await page.getByLabel(t('create.name'), { exact: true }).fill(name)
      await button(t('create.do', { name })).click()
    },

    /** Waits until the cluster's card shows the status. */
    async waitForStatus(name: string, status: ClusterStatus): Promise<void> {
      await card(name).getByText(label(status), { exact: true }).waitFor({ timeout: 30_000 })
    },
  }
}
