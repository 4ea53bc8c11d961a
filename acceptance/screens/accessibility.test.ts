/**
 * Every screen of the console, in both languages, both colour schemes, on a desk and on a phone: nothing to scroll
 * sideways for, no text missing, nothing red on the console. No barrier that axe finds (WCAG 2.2 AA): the desk's layout
 * is searched in English, the phone's in Chinese, since what axe finds lies in a layout and in its colours.
 */
import type { Locale } from '@atoll/contract/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBarrierFinder, layers, searched } from '../stack/accessibility.ts'
import { desktop, forShortPages, launchBrowser, phone } from '../stack/browser.ts'
import { type ConsoleState, consoleStates } from '../stack/console-states.ts'
import { type ConsoleTab, openTab } from '../stack/console-tab.ts'
import { overdueAnswers, sampleAnswers } from '../stack/samples/sample-account.ts'
import { type ScriptedConsole, startScriptedConsole } from '../stack/scripted-console.ts'
import { waitForRest } from '../stack/settled.ts'
import { findRawKey } from '../stack/texts.ts'

const locales: Locale[] = ['en-US', 'zh-CN']
const readers = ['anybody', 'nobody', 'overdue'] as const
let browser: Browser
const servers: ScriptedConsole[] = []
/** One for each reader in each language; each screen is opened in one of them. */
const tabs = new Map<string, ConsoleTab>()
const tabOf = (locale: Locale, { to }: ConsoleState) => tabs.get(`${locale} ${to ?? 'anybody'}`)

beforeAll(async () => {
  browser = await launchBrowser([forShortPages])
  servers.push(await startScriptedConsole(sampleAnswers()), await startScriptedConsole(overdueAnswers()))
  const [sample, overdue] = servers
  await Promise.all(
    locales.flatMap((locale) =>
      readers.map(async (reader) => {
        const { url = '' } = (reader === 'overdue' ? overdue : sample) ?? {}
        const tab = await openTab(browser, url, {
          locale,
          savesData: true,
          ...(reader === 'nobody' && { accounts: undefined }),
        })
        tabs.set(`${locale} ${reader}`, tab)
      }),
    ),
  )
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers) await server[Symbol.asyncDispose]()
})

/** What is wrong with the screen, each with where it was seen. */
async function findFaults(state: ConsoleState, locale: Locale): Promise<string[]> {
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
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await waitForRest(page)
    // What hangs on a control of one layout goes with it.
    if (state.open && (await page.locator(layers).count()) === 0) await state.open(tab)
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wide > 0) found.push(`${viewport.width}: ${wide} px wider than the window`)
    if (viewport !== searched[locale]) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      // The light picture by every rule, its dark twin by those of colours; the page under what opened, once.
      const coloursOnly = colorScheme === 'dark'
      const barriers = await findBarriers({ coloursOnly, layerOnly: state.open !== undefined && coloursOnly })
      found.push(...barriers.map((barrier) => `${viewport.width} ${colorScheme}: ${barrier}`))
    }
  }
  const raw = findRawKey(await page.locator('body').innerText())
  if (raw) found.push(`a text is missing: ${raw}`)
  return [...found, ...complaints.splice(0)].map((problem) => `${locale} ${problem}`)
}

it.each(consoleStates)('$name', async (state) => {
  const found = await Promise.all(locales.map((locale) => findFaults(state, locale)))
  expect(found.flat()).toEqual([])
})
