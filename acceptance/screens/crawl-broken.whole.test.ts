/**
 * Every control of the busiest pages pressed in accounts that are broken, or on servers that are: the failure is
 * shown, and nothing breaks.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it, vi } from 'vitest'
import { forShortPages, launchBrowser } from '../stack/browser.ts'
import { openTab, type TabOptions } from '../stack/console-tab.ts'
import { type CrawlOptions, crawl } from '../stack/crawl/crawler.ts'
import { sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { breakages, isOf, startBrokenConsole } from '../stack/screens/breakages.ts'
import { startScriptedConsole } from '../stack/scripted-console.ts'

vi.setConfig({ maxConcurrency: 3 })
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser([forShortPages])
})
afterAll(() => browser?.close())

/** The pages with the most forms, dialogs and menus; every-screen opens each of the others on a broken server. */
const busiest: CrawlOptions = {
  paths: ['/create', '/profile', '/cluster/cl_sample000'],
  within: () => false,
  frame: false,
}

// Side by side: much of it is waiting until the console asks again.
it.concurrent.for(breakages)('the pages bear every press on $name', async (breakage, { expect }) => {
  await using server = await startBrokenConsole(breakage)
  const report = await crawl(await openTab(browser, server.url), {
    ...busiest,
    expects: (complaint) => isOf(breakage, complaint),
  })
  expect(report.problems).toEqual([])
  expect(report.pressed).toBeGreaterThan(10)
})

it.concurrent.for<[string, TabOptions]>([
  ['every press is borne with a list of accounts that is no list', { storedList: '{"torn":' }],
  ['every press is borne in a session that has expired', { accounts: [sampleSession({ expired: Date.now() - 1000 })] }],
])('%s', async ([, account], { expect }) => {
  await using server = await startScriptedConsole(sampleAnswers())
  const tab = await openTab(browser, server.url, account)
  const report = await crawl(tab, { ...busiest, frame: true })
  expect(report.problems).toEqual([])
})
