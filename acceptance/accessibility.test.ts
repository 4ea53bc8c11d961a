/**
 * Every screen of the console, in both languages, both colour schemes, on a desk and on a phone: no barrier that axe
 * finds (WCAG 2.2 AA), nothing to scroll sideways for, no text missing, nothing red on the console.
 */
import type { Locale } from '@atoll/contract/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBarrierFinder, layers } from './stack/accessibility.ts'
import { desktop, launchBrowser, phone } from './stack/browser.ts'
import { type ConsoleState, consoleStates } from './stack/console-states.ts'
import { type ConsoleTab, openTab } from './stack/console-tab.ts'
import { sampleAnswers } from './stack/sample-account.ts'
import { type ScriptedConsole, startScriptedConsole } from './stack/scripted-console.ts'
import { waitForRest } from './stack/settled.ts'
import { findRawKey } from './stack/texts.ts'

const locales: Locale[] = ['en-US', 'zh-CN']
let browser: Browser
let server: ScriptedConsole
/** One signed in and one not, in each language; each screen is opened in one of them. */
const tabs = new Map<string, ConsoleTab>()
const tabOf = (locale: Locale, { signedOut = false }: ConsoleState) => tabs.get(`${locale} ${signedOut}`)

beforeAll(async () => {
  ;[browser, server] = await Promise.all([launchBrowser(), startScriptedConsole(sampleAnswers())])
  await Promise.all(
    locales.flatMap((locale) =>
      [true, false].map(async (signedOut) => {
        const tab = await openTab(browser, server.url, { locale, ...(signedOut && { accounts: undefined }) })
        tabs.set(`${locale} ${signedOut}`, tab)
      }),
    ),
  )
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

/** What is wrong with the screen, each with where it was seen. */
async function lookAt(state: ConsoleState, locale: Locale): Promise<string[]> {
  const tab = tabOf(locale, state)
  if (!tab) throw new Error('no tab was opened')
  const { page, complaints } = tab
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(state.path, { waitUntil: 'commit' })
  const { obstacle } = await waitForRest(page, { loaded: true })
  if (obstacle) return [`${locale} ${obstacle}`]
  await state.open?.(tab)
  const findBarriers = await createBarrierFinder(page)
  const found: string[] = []
  let isFirst = true
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await waitForRest(page)
    // What hangs on a control of one layout goes with it.
    if (state.open && (await page.locator(layers).count()) === 0) await state.open(tab)
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wide > 0) found.push(`${viewport.width}: ${wide} px wider than the window`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      // Each light picture by every rule, its dark twin by those of colours; the page under what opened, once.
      const search = { coloursOnly: colorScheme === 'dark', layerOnly: state.open !== undefined && !isFirst }
      isFirst = false
      found.push(...(await findBarriers(search)).map((barrier) => `${viewport.width} ${colorScheme}: ${barrier}`))
    }
  }
  const raw = findRawKey(await page.locator('body').innerText())
  if (raw) found.push(`a text is missing: ${raw}`)
  return [...found, ...complaints.splice(0)].map((problem) => `${locale} ${problem}`)
}

it.each(consoleStates)('$name', async (state) => {
  const found = await Promise.all(locales.map((locale) => lookAt(state, locale)))
  expect(found.flat()).toEqual([])
})
