/**
 * Controls of pages pressed, in an account with every situation and in one with nothing. Nothing may end in an error
 * on the console, in a rejection nobody handled, or on a page that leads nowhere.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { forShortPages, launchBrowser, phone } from '../stack/browser.ts'
import { openTab, type TabOptions } from '../stack/console-tab.ts'
import { type CrawlOptions, type CrawlReport, crawl, patternOf } from '../stack/crawl/crawler.ts'
import { type Answers, emptyAnswers, sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { startScriptedConsole } from '../stack/scripted-console.ts'

let browser: Browser

async function crawlAccount(answers: Answers, tab: TabOptions, options: CrawlOptions): Promise<CrawlReport> {
  await using server = await startScriptedConsole(answers)
  return await crawl(await openTab(browser, server.url, tab), options)
}

/** The places that no control of the first page leads to. */
const unlinked = ['/login', '/accountList', '/languageList', '/nowhere/at/all', '/help/backups']

const friend = sampleSession({ userid: `did:key:z6Mk${'b'.repeat(44)}`, terminusName: null, token: 'of-a-friend' })
const accounts = [sampleSession(), friend]
/** Pages that belong together. A part walks what it finds within itself and leaves the rest to the others. */
export interface CrawlPart {
  name: string
  paths: string[]
  pages: RegExp
  viewport?: TabOptions['viewport']
}

export const orders: CrawlPart = { name: 'the steps of an order', paths: ['/create'], pages: /^\/create\b/ }
export const walletPages: CrawlPart = {
  name: 'the wallet’s pages',
  paths: ['/instanceMobile', '/createMobile'],
  pages: /Mobile/,
  viewport: phone,
}

/** The pages of these clusters. */
export function clustersOf(clusters: readonly { clusterId: string }[]): CrawlPart {
  return {
    name: 'the clusters',
    paths: clusters.map(({ clusterId }) => `/cluster/${clusterId}`),
    pages: /^\/cluster\//,
  }
}

const walked = new Set<string>()
const left = new Set<string>()
async function crawlPart(options: CrawlOptions, viewport?: TabOptions['viewport']): Promise<CrawlReport> {
  const report = await crawlAccount(sampleAnswers(), { accounts, ...(viewport && { viewport }) }, options)
  for (const address of report.pages) walked.add(pageOf(address))
  for (const address of report.left) left.add(pageOf(address))
  return report
}

/** The page of any cluster is one: the others of them are led to as well, and not walked. */
const pageOf = (address: string) => patternOf(address).replace(/\bcl_\w+/, '*')

/** Tests that walk these parts side by side, since each press is followed by a wait until the page rests. */
export function describeParts(parts: readonly CrawlPart[]): void {
  // Walks of a hundred presses; each of their waits has an end of its own.
  vi.setConfig({ testTimeout: 900_000, maxConcurrency: 3 })
  beforeAll(async () => {
    browser = await launchBrowser([forShortPages])
  })
  afterAll(() => browser?.close())

  it.concurrent.for(parts)(
    '$name of an account with every situation bear every press',
    async ({ paths, pages, viewport }, { expect }) => {
      const within = (address: string) => pages.test(address)
      const report = await crawlPart({ paths, within, frame: viewport !== undefined }, viewport)
      expect(report.problems).toEqual([])
      expect(report.pressed).toBeGreaterThan(10)
    },
  )
}

/** A test that walks the pages of an account with nothing. */
export function testEmptyAccount(): void {
  it.concurrent('the pages of an account with nothing bear every press, in Chinese on a phone', async ({ expect }) => {
    // Its other pages are those of the account with every situation, with less on them.
    const paths = ['/', '/instance', '/billing', '/backup', '/domains', '/instanceMobile', '/createMobile']
    const within = (address: string) => paths.includes(address)
    const report = await crawlAccount(
      emptyAnswers(),
      { viewport: phone, locale: 'zh-CN' },
      { paths, within, frame: false },
    )
    expect(report.problems).toEqual([])
    expect(report.pressed).toBeGreaterThan(10)
  })
}

/** Tests that walk all that lies beside and around `parts`, and that nothing is left out then. */
export function testOtherPages(parts: readonly CrawlPart[]): void {
  it.concurrent('so do the other pages of an account with every situation, and what lies around them', async ({
    expect,
  }) => {
    const within = (address: string) => !parts.some(({ pages }) => pages.test(address))
    const report = await crawlPart({ paths: ['/', ...unlinked], within, frame: true })
    expect(report.problems).toEqual([])
    expect(report.pages).toEqual(expect.arrayContaining(['/profile', '/sessions', '/activity']))
    expect(report.pressed).toBeGreaterThan(50)
  })

  it('the pages lead to the bills, the balance and the usage, and to none that was not walked', () => {
    expect([...walked]).toEqual(expect.arrayContaining(['/bill', '/balanceDetail', '/usage']))
    expect([...left].filter((pattern) => !walked.has(pattern))).toEqual([])
  })
}
