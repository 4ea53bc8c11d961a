import { readFileSync } from 'node:fs'
import type { Locale } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { serverTexts } from '../texts.ts'

/** The personal server's pages, wizard and files, as their owner uses them. */
export function personalServerApp(page: Page, locale: Locale) {
  const t = serverTexts(locale)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  // On a narrow screen the link's name goes on with size and time.
  const fileLink = (name: string) => page.getByRole('link').filter({ hasText: name })

  return {
    t,
    heading,

    /**
     * First step of the wizard; returns when the code to approve is there. `carried`: the link of the console has
     * filled the password in, and the address no longer has it.
     */
    async enterOneTimePassword(
      password: string,
      { title = 'passwordTitle', carried = false }: { title?: 'passwordTitle' | 'resetTitle'; carried?: boolean } = {},
    ): Promise<void> {
      await heading(t(`wizard.${title}`)).waitFor()
      const field = page.getByLabel(t('wizard.passwordLabel'), { exact: true })
      if (carried) {
        if ((await field.inputValue()) !== password) throw new Error('the link did not carry the one-time password')
        if (new URL(page.url()).hash) throw new Error('the address still has the one-time password')
      } else await field.fill(password)
      await press(t('act.continue'))
      await heading(t('wizard.approveTitle')).waitFor()
      await page.getByRole('img', { name: t('wizard.code', { host: new URL(page.url()).host }) }).waitFor()
    },

    /** Last step of the wizard, after the wallet approved. */
    async setPassword(
      password: string,
      clusterName: string,
      title: 'doneTitle' | 'resetDone' = 'doneTitle',
    ): Promise<void> {
      await heading(t('wizard.newTitle')).waitFor()
      await page.getByLabel(t('wizard.newLabel'), { exact: true }).fill(password)
      await page.getByLabel(t('wizard.repeatLabel'), { exact: true }).fill(password)
      await press(t('wizard.finish'))
      await heading(t(`wizard.${title}`, { name: clusterName })).waitFor()
    },

    async signOut(): Promise<void> {
      // Its name begins with who is signed in.
      await page.getByRole('button', { name: t('nav.account', { name: '' }) }).click()
      await page.getByRole('menuitem', { name: t('nav.signOut') }).click()
      await heading(t('signIn.title')).waitFor()
    },

    async signIn(name: string, password: string): Promise<void> {
      await page.getByLabel(t('signIn.name'), { exact: true }).fill(name)
      await page.getByLabel(t('signIn.password'), { exact: true }).fill(password)
      await press(t('signIn.submit'))
      await page
        .getByRole('button', { name: t('drive.upload'), exact: true })
        .first()
        .waitFor()
    },

    async upload(name: string, content: Buffer): Promise<void> {
      await page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content })
      await page.getByText(t('uploads.done'), { exact: true }).waitFor()
      await fileLink(name).waitFor()
    },

    async download(name: string): Promise<Buffer> {
      const [download] = await Promise.all([page.waitForEvent('download'), fileLink(name).click()])
      return readFileSync(await download.path())
    },
  }
}
