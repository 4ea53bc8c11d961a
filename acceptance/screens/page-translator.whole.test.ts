/** Pages that something else changes: a browser's translator, colours that the system forces, a part that breaks. */
import { backupList } from '@atoll/contract/backups'
import { customerInfo, getEstimatedRefundAmount } from '@atoll/contract/billing'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { sampleNameOf } from '../stack/samples/sample-clusters.ts'
import { sampleDomainPath } from '../stack/samples/sample-domains.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'
import { consoleTexts } from '../stack/texts.ts'

const { server, openPage, openTab } = shareConsole()
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

/** In the page, before its code: whatever writes the figure 31337, or looks for that word, throws while it is drawn. */
const breakParts = `(() => {
  globalThis.breaks = true
  const check = (text) => {
    if (globalThis.breaks && String(text).replace('.', '').startsWith('31337')) throw new RangeError('a part breaks')
  }
  const { get } = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
  Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
    get() {
      const format = get.call(this)
      return (figure) => (check(figure), format(figure))
    },
  })
  const { toFixed } = Number.prototype
  Number.prototype.toFixed = function (digits) {
    check(this)
    return toFixed.call(this, digits)
  }
  const { toLocaleLowerCase } = String.prototype
  String.prototype.toLocaleLowerCase = function () {
    check(this)
    return toLocaleLowerCase.call(this)
  }
})()`

/** Opens a page on which a part will break. */
async function openBreaking(path: string) {
  const tab = await openTab({ locale: 'en-US' })
  await tab.page.addInitScript(breakParts)
  await tab.page.goto(path)
  return tab
}

it('a palette, a card, a panel or a dialog that breaks leaves the page usable, and is there at a new try', async () => {
  const name = sampleNameOf('running')
  const stateOf = (named: string) => consoleStates.find((state) => state.name === named)
  const answers = { customer: Object(server.answers.get(customerInfo)), list: Object(server.answers.get(backupList)) }
  const refund = server.answers.get(getEstimatedRefundAmount) as (fields: URLSearchParams) => object // the sample's
  server.answers
    .set(customerInfo, { ...answers.customer, cashBalance: -31_337 })
    .set(backupList, {
      ...answers.list,
      backups: Array.from(answers.list.backups, (backup) => ({ ...Object(backup), size: 31_337_000_000 })),
    })
    .set(getEstimatedRefundAmount, (fields: URLSearchParams) => ({ ...refund(fields), amount: 31_337 }))

  const card = await openBreaking('/billing')
  const retry = card.app.button(t('failure.retry'))
  await card.page.getByText(t('failure.unknown'), { exact: true }).waitFor()
  await card.app.heading(t('billing.usage')).waitFor()
  await card.page.keyboard.press('Control+k')
  await card.page.getByRole('combobox').fill('31337')
  await card.page.getByRole('combobox').waitFor({ state: 'detached' })
  await card.page.evaluate('globalThis.breaks = false')
  await retry.click()
  await card.page.getByText('$313.37', { exact: true }).first().waitFor()
  await card.page.keyboard.press('Control+k')
  await card.page.getByRole('combobox').waitFor()

  const panel = await openBreaking(stateOf('cluster, backups')?.path ?? '')
  await panel.page.getByText(t('failure.unknown'), { exact: true }).waitFor()
  await panel.app.heading(name).waitFor()

  const state = stateOf('destroying')
  const dialog = await openBreaking(state?.path ?? '')
  await state?.open?.(dialog)
  await dialog.page.getByRole('dialog').getByText(t('failure.unknown'), { exact: true }).waitFor()
  await dialog.page.keyboard.press('Escape')
  await dialog.page.getByRole('dialog').waitFor({ state: 'hidden' })
  await dialog.app.heading(name).waitFor()
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
