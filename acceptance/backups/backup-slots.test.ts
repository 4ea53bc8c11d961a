/** The starts that other backups of a cluster have, as the dialog of a new one shows them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser } from '../stack/browser.ts'
import { openTab } from '../stack/console-tab.ts'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { type ScriptedConsole, startScriptedConsole } from '../stack/scripted-console.ts'

let browser: Browser
let server: ScriptedConsole
beforeAll(async () => {
  browser = await launchBrowser()
  server = await startScriptedConsole(sampleAnswers())
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

it('a free time is proposed; a taken one cannot be chosen, and says whose it is where it is chosen', async () => {
  const { page, app } = await openTab(browser, server.url)
  await page.goto('/backup')
  await app.button(app.t('backups.new')).click()
  const dialog = page.getByRole('dialog')
  const slot = (time: string) => dialog.getByRole('radio', { name: time, exact: true })
  const next = dialog.getByRole('button', { name: app.t('backups.continue'), exact: true })
  // 03:00 is taken: the next one is proposed.
  await slot('03:15').waitFor()
  expect([await slot('03:15').isChecked(), await next.isEnabled()]).toEqual([true, true])
  expect([await slot('03:00').isDisabled(), await slot('04:15').isDisabled()]).toEqual([true, true])
  expect(await slot('04:30').isDisabled()).toBe(false)
  // An hourly one would meet both: one at the full hour, the other a quarter past.
  await dialog.getByText(app.t('backups.every.hour'), { exact: true }).click()
  await dialog.getByText(app.t('backups.slotUsed'), { exact: true }).waitFor()
  const owner = app.t('backups.slotOwner', { time: ':00', name: 'Everything nightly' })
  expect([await dialog.getByText(owner, { exact: true }).isVisible(), await next.isDisabled()]).toEqual([true, true])
  expect([await slot(':15').isDisabled(), await slot(':30').isDisabled()]).toEqual([true, false])
  await slot(':30').check()
  expect(await next.isEnabled()).toBe(true)
})
