/** Pages that something else changes: a browser's translator, or colours that the system forces. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { sampleDomainPath } from '../stack/samples/sample-domains.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleTexts } from '../stack/texts.ts'

const { openPage } = shareConsole()
const t = consoleTexts('en-US')

/** As Chromium's does it: each text goes, and an element with its translation comes. */
const translate = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode())
    if (walker.currentNode.data.trim() && !walker.currentNode.parentElement.closest('font, script, style, svg'))
      texts.push(walker.currentNode)
  for (const text of texts) {
    const outer = document.createElement('font')
    outer.append(Object.assign(document.createElement('font'), { textContent: '«' + text.data + '»' }))
    text.replaceWith(outer)
  }
  return texts.length
})()`
const translated = async (page: Page) => expect(await page.evaluate<number>(translate)).toBeGreaterThan(0)

it('leads on through pages, menus and the palette, though their texts were replaced', async () => {
  const { page, complaints } = await openPage('/')
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await translated(page)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await field.fill('zzz')
  await translated(page)
  await field.fill('bill')
  await translated(page)
  await field.fill('')
  await page.keyboard.press('Escape')
  for (const [path, heading] of [
    ['/backup', t('backups.title')],
    ['/domains', t('domains.title')],
    ['/billing', t('billing.title')],
  ] as const) {
    await page.locator(`nav a[href="${path}"]`).first().click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await translated(page)
  }
  expect(complaints).toEqual([])
})

it('shows what changes, as the page has it', async () => {
  const { page, complaints } = await openPage(sampleDomainPath('proving'))
  const clock = page.locator('b').filter({ hasText: /^\d+:\d\d$/ })
  await clock.waitFor()
  await translated(page)
  await page
    .locator('b')
    .filter({ hasText: /^«\d+:\d\d»$/ })
    .waitFor()
  await clock.waitFor()
  expect(complaints).toEqual([])
})

it('colours that the system forces leave meters, keys, tabs and the current page in sight', async () => {
  const { page } = await openPage('/billing')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.getByRole('meter').first().waitFor()
  const style = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)
  expect(await style('[role=meter]', 'borderTopStyle')).toBe('solid')
  expect(await style('nav [aria-current=page]', 'outlineStyle')).toBe('solid')
  const key = (nth: number) => `section:has(ol) span:nth-child(${nth}) > i`
  await page.locator(key(2)).first().waitFor()
  expect(await style(key(1), 'backgroundColor')).not.toBe(await style(key(2), 'backgroundColor'))
  await page.goto('/bill')
  await page.getByRole('tab', { selected: true }).waitFor()
  expect(await style('[role=tab][aria-selected=true]', 'outlineStyle')).toBe('solid')
})
