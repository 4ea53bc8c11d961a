/**
 * Every control of every page pressed in accounts that are broken, or on servers that are: the failure is shown, and
 * nothing breaks.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it, vi } from 'vitest'
import { forShortPages, launchBrowser } from '../stack/browser.ts'
import { openTab, type TabOptions } from '../stack/console-tab.ts'
import { type CrawlOptions, crawl } from '../stack/crawl/crawler.ts'
import { sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { type Breakage, breakages, isOf, startBrokenConsole } from '../stack/screens/breakages.ts'
import { startScriptedConsole } from '../stack/scripted-console.ts'

// A walk of a hundred presses; each of its waits has an end of its own.
vi.setConfig({ testTimeout: 300_000, maxConcurrency: 3 })
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser([forShortPages])
})
afterAll(() => browser?.close())

const paths = ['/', '/instance', '/create', '/profile', '/sessions', '/activity', '/cluster/cl_sample000', '/login']

/** Those with the most forms, dialogs and menus. */
const busiest: CrawlOptions = {
  paths: ['/create', '/profile', '/cluster/cl_sample000'],
  within: () => false,
  frame: false,
}
const pages: CrawlOptions = { paths: [...paths, '/accountList', '/languageList'], frame: false }
/** Header, sidebar, menus and palette: they ask for nothing that the pages do not. */
const around: CrawlOptions = { paths: ['/'], within: () => false, frame: true }

const onBrokenServers: [string, Breakage, CrawlOptions][] = [
  ...breakages.map((each, at): [string, Breakage, CrawlOptions] => [
    `the pages bear every press on ${each.name}`,
    each,
    at === 0 ? pages : busiest,
  ]),
  ...breakages
    .slice(0, 1)
    .map((each): [string, Breakage, CrawlOptions] => [
      `so does all that lies around them on ${each.name}`,
      each,
      around,
    ]),
]

// Side by side: much of it is waiting until the console asks again.
it.concurrent.for(onBrokenServers)('%s', async ([, breakage, options], { expect }) => {
  await using server = await startBrokenConsole(breakage)
  const report = await crawl(await openTab(browser, server.url), {
    ...options,
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
