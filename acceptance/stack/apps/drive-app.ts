import type { Locale } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { serverTexts } from '../texts.ts'

/** The files of a personal server, as their owner uses them on a wide screen. */
export function driveApp(page: Page, locale: Locale) {
  const t = serverTexts(locale)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const pick = (name: string) => page.getByRole('checkbox', { name: t('select.one', { name }), exact: true })
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const rows = page.locator('tbody tr')

  return {
    t,
    press,
    pick,
    dialog,

    /** Names of what is shown, in order. */
    names: () => rows.locator('td:nth-child(2) span > span:first-child').allInnerTexts(),

    /** The element that opens, shows or downloads the entry. */
    entry: (name: string) =>
      rows
        .locator('td:nth-child(2)')
        .locator('a, button')
        .filter({ has: page.getByText(name, { exact: true }) }),

    /** Presses the head of the column. */
    sort: (key: 'name' | 'size' | 'modified') =>
      page
        .getByRole('columnheader')
        .getByRole('button', { name: t(`drive.${key}`), exact: true })
        .click(),

    search: (query: string) => page.getByRole('search').getByRole('textbox').fill(query),

    async pickSome(names: readonly string[]): Promise<void> {
      for (const name of names) await pick(name).check()
    },

    closeDialog: (name: string) =>
      dialog(name)
        .getByRole('button', { name: t('preview.close'), exact: true })
        .click(),
  }
}
