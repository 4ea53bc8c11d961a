/**
 * Every control of every page pressed: in an account with nothing, in one with every situation, and in broken ones. Nothing
 * may end in an error on the console, in a rejection nobody handled, or on a page that leads nowhere.
 */
import { codes } from '@atoll/contract'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import consoleEnglish from '../apps/console/src/locales/en-US.json' with { type: 'json' }
import { launchBrowser, phone } from './stack/browser.ts'
import { openTab, type TabOptions } from './stack/console-tab.ts'
import { type CrawlReport, crawl } from './stack/crawler.ts'
import { type Answers, emptyAnswers, sampleAnswers, sampleSession } from './stack/sample-account.ts'
import { envelope, type ScriptedConsole, startScriptedConsole } from './stack/scripted-console.ts'
import { findRawKey } from './stack/texts.ts'

let browser: Browser
let server: ScriptedConsole | undefined
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())
afterEach(() => server?.[Symbol.asyncDispose]())

/** The places that no control of the first page leads to. */
const unlinked = ['/login', '/accountList', '/languageList', '/instanceMobile', '/createMobile', '/nowhere/at/all']
function findFault({ text }: { text: string }): string | undefined {
  const key = findRawKey(text)
  if (key) return `a text is missing: ${key}`
  return text.includes(consoleEnglish.failure.pageTitle) ? 'the page broke' : undefined
}

async function crawlAccount(answers: Answers, options: TabOptions, paths = ['/', ...unlinked]): Promise<CrawlReport> {
  const running = await startScriptedConsole(answers)
  server = running
  return await crawl({
    paths,
    workers: 3,
    open: () => openTab(browser, running.url, options),
    findFault,
  })
}

it('an account with every situation', async () => {
  const friend = sampleSession({ userid: `did:key:z6Mk${'b'.repeat(44)}`, terminusName: null, token: 'of-a-friend' })
  const report = await crawlAccount(sampleAnswers(), { accounts: [sampleSession(), friend] })
  expect(report.problems).toEqual([])
  expect(report.pages).toEqual(
    expect.arrayContaining(['/instance', '/profile', '/sessions', '/activity', '/accountList', '/languageList']),
  )
  expect(report.pressed).toBeGreaterThan(200)
})

it('an account with nothing, on a phone', async () => {
  const report = await crawlAccount(emptyAnswers(), { viewport: phone })
  expect(report.problems).toEqual([])
  expect(report.pages).toContain('/instance')
})

describe('broken accounts', () => {
  const asked = ['/', '/instance', '/create', '/profile', '/sessions', '/activity', '/cluster/cl_sample000', '/login']
  it.each([
    ['a server that fails', 500, '<html>'],
    ['answers of another shape', 200, envelope(codes.ok, '', { unexpected: true })],
    ['refusals without a word', 200, envelope(codes.serverError)],
  ])('%s', async (_what, status, body) => {
    const running = await startScriptedConsole(sampleAnswers())
    server = running
    running.breakdown = (path) =>
      path.includes('openCode') || path.includes('activeLogin') ? undefined : { status, body }
    const report = await crawl({
      paths: asked,
      workers: 3,
      open: () => openTab(browser, running.url),
      findFault,
      // A browser itself tells of each answer that is not 200.
      expects: (complaint) => status !== 200 && complaint.startsWith('Failed to load resource'),
    })
    expect(report.problems).toEqual([])
  })

  it.each<[string, TabOptions]>([
    ['a list of accounts that is no list', { storedList: '{"torn":' }],
    ['a session that has expired', { accounts: [sampleSession({ expired: Date.now() - 1000 })] }],
  ])('%s', async (_what, options) => {
    const report = await crawlAccount(sampleAnswers(), options, asked)
    expect(report.problems).toEqual([])
  })
})
