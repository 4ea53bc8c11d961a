/**
 * Every control of every page pressed in accounts that are broken, or on servers that are: the failure is shown, and
 * nothing breaks.
 */
import { codes } from '@atoll/contract/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it, vi } from 'vitest'
import { forShortPages, launchBrowser } from '../stack/browser.ts'
import { openTab, type TabOptions } from '../stack/console-tab.ts'
import { type CrawlOptions, crawl } from '../stack/crawl/crawler.ts'
import { findPageFault } from '../stack/crawl/page-view.ts'
import { sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { envelope, startScriptedConsole } from '../stack/scripted-console.ts'

// A walk of a hundred presses; each of its waits has an end of its own.
vi.setConfig({ testTimeout: 300_000 })
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser([forShortPages])
})
afterAll(() => browser?.close())

const paths = ['/', '/instance', '/create', '/profile', '/sessions', '/activity', '/cluster/cl_sample000', '/login']

/** What answers every call but those of signing in. */
const broken: [string, number, string][] = [
  ['a server that fails', 500, '<html>'],
  ['answers of another shape', 200, envelope(codes.ok, '', { unexpected: true })],
  ['refusals without a word', 200, envelope(codes.serverError)],
]
const pages: CrawlOptions = { paths: [...paths, '/accountList', '/languageList'], frame: false }
/** Header, sidebar, menus and palette: they ask for nothing that the pages do not. */
const around: CrawlOptions = { paths: ['/'], within: () => false, frame: true }

// Side by side: much of it is waiting until the console asks again.
it.concurrent.for([
  ...broken.map(([how, ...answer]) => ({ how: `${how}: pages`, answer, options: pages })),
  ...broken.slice(0, 1).map(([how, ...answer]) => ({ how: `${how}: what lies around them`, answer, options: around })),
])('$how', async ({ answer: [status, body], options }, { expect }) => {
  await using server = await startScriptedConsole(sampleAnswers())
  server.breakdown = (path) =>
    path.includes('openCode') || path.includes('activeLogin') ? undefined : { status, body }
  const report = await crawl(await openTab(browser, server.url, { savesData: true }), {
    ...options,
    findFault: findPageFault,
    // A browser itself reports each answer that is not 200.
    expects: (complaint) => status !== 200 && complaint.startsWith('Failed to load resource'),
  })
  expect(report.problems).toEqual([])
  expect(report.pressed).toBeGreaterThan(10)
})

it.for<[string, TabOptions]>([
  ['a list of accounts that is no list', { storedList: '{"torn":' }],
  ['a session that has expired', { accounts: [sampleSession({ expired: Date.now() - 1000 })] }],
])('%s', async ([, options], { expect }) => {
  await using server = await startScriptedConsole(sampleAnswers())
  const tab = await openTab(browser, server.url, { ...options, savesData: true })
  const report = await crawl(tab, { paths, frame: true, findFault: findPageFault })
  expect(report.problems).toEqual([])
})
