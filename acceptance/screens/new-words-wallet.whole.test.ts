/**
 * Opens each screen of the wallet that shows answers of the service, and each page of the personal server, with the
 * answers of a newer server: every enum holds an unknown word (design/wire, "Words we do not know yet").
 */
import * as personalServer from '@atoll/contract/personal-server'
import * as serverBackups from '@atoll/contract/personal-server-backups'
import type { Call } from '@atoll/contract/wire'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type ActiveAgent, password, startActiveAgent } from '../../apps/agent/src/testing/active-agent.ts'
import { enumsIn, newWord, withNewWords } from '../../packages/contract/src/api/new-words.fixture.ts'
import * as contract from '../../packages/contract/src/everything.ts'
import { domainPages, domainStates, openDomainScreen, phoneOf } from '../domains/domain-screens.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { desktop, forShortPages, launchBrowser, openScreen } from '../stack/browser.ts'
import { findViewFaults, type View, view } from '../stack/crawl/page-view.ts'
import { waitForRest } from '../stack/settled.ts'
import { findRawKey, serverTexts } from '../stack/texts.ts'

const calls = Object.values(contract as Record<string, unknown>).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'reach' in value,
)

/** Screens of these steps and what the wallet shows of them: at a step that is not known there is nothing to sign. */
async function makeNewer(page: Page): Promise<string[]> {
  const changed: string[] = []
  await page.route(/\/v[12]\//, async (route) => {
    const path = new URL(route.request().url()).pathname
    const call = calls.find((one) => one.path === path)
    const answer = await route.fetch()
    const json = await answer.json()
    const words = call && json.data !== undefined ? enumsIn(call.data, json.data) : []
    if (words.length > 0) changed.push(path)
    await route.fulfill({ response: answer, json: { ...json, data: withNewWords(json.data, words) } })
  })
  return changed
}

describe('the wallet', () => {
  const locale = 'en-US'
  it.each([...domainStates, ...domainPages])('shows with new words the screen %s', async (state) => {
    const { page, complaints } = phoneOf(locale)
    const changed = await makeNewer(page)
    try {
      await openDomainScreen(locale, state)
      const { seen, obstacle } = await waitForRest<View>(page, { loaded: true, see: view })
      expect([obstacle, findRawKey(seen.text), ...complaints.splice(0)]).toEqual([null, undefined])
      expect(seen.headings).not.toEqual([])
      // The person who is signed in reads the step of the domain, unless it changes hands.
      const isStep = state !== 'offered' && state !== 'handedOn' && !domainPages.some((other) => other === state)
      if (isStep) expect([changed.length > 0, seen.text]).toEqual([true, expect.stringContaining(newWord)])
    } finally {
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
})

describe('the personal server', () => {
  const schemas: Record<string, z.ZodType> = {
    '/api/status': personalServer.Status,
    '/api/session': personalServer.SessionState,
    '/api/sessions': personalServer.Sessions,
    '/api/observe': personalServer.Observed,
    '/api/drive/list': personalServer.DriveListing,
    '/api/drive/search': personalServer.DriveSearch,
    '/api/backups/list': serverBackups.SnapshotListing,
    '/api/backups': serverBackups.BackupsKept,
  }
  const backupId = 'bk_sample00000000'
  const snapshotId = 'a'.repeat(64)
  const snapshot = { backupId, snapshotId }
  const at = '2026-11-28T07:00:00.000Z'
  const files = { path: '/', offset: 0, found: 4, total: 4, truncated: false }
  const entries = (['file', 'folder', 'link', 'other'] as const).map((kind) => ({
    name: kind,
    kind,
    size: 1,
    modifiedAt: at,
  }))
  let browser: Browser | undefined
  let server: ActiveAgent | undefined

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchBrowser([forShortPages]), startActiveAgent()])
    await server.ask('POST /api/drive/folder', { body: { path: '/Trips' } })
    await server.ask('PUT /api/drive/file?path=%2Fnotes.txt', { body: 'Low tide at noon' })
    await server.ask('POST /api/session', { body: { name: 'reef', password: 'wrong' }, asStranger: true })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.[Symbol.asyncDispose]()
  })

  /** As a newer server answers; a row that is no object cannot be read. */
  const newer = (path: string, json: unknown): unknown => {
    const schema = schemas[path]
    return schema ? withNewWords(json, enumsIn(schema, json)) : json
  }

  async function answerNewer(route: Route, change: (json: Record<string, unknown>) => unknown): Promise<void> {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/api/backups/list') return route.fulfill({ json: newer(pathname, change({ ...files, entries })) })
    const answer = await route.fetch()
    const isJson = answer.headers()['content-type']?.includes('json') ?? false
    if (!isJson) return route.fulfill({ response: answer })
    const json = await answer.json()
    const code = answer.ok() ? {} : { code: newWord }
    await route.fulfill({ response: answer, json: newer(pathname, change({ ...json, ...code })) })
  }

  async function look(path: string, change: (json: Record<string, unknown>) => unknown = (json) => json) {
    if (!browser || !server) throw new Error('a page is looked at by a test')
    const { page, context, complaints } = await openScreen(browser, { locale: 'en-US', viewport: desktop })
    const origin = `http://127.0.0.1:${server.agent.port}`
    try {
      await page.goto(`${origin}/`)
      await personalServerApp(page, 'en-US').signIn('reef', password)
      await page.route('**/api/**', (route) => answerNewer(route, change))
      await page.goto(`${origin}${path}`)
      const { seen, obstacle } = await waitForRest<View>(page, { loaded: true, see: view })
      // A refusal is what some of these pages show.
      const told = complaints.filter((complaint) => !/status of [45]|^ApiProblem/.test(complaint))
      return { text: seen.text, faults: [...(obstacle ? [obstacle] : []), ...findViewFaults(seen), ...told] }
    } finally {
      await page.unrouteAll({ behavior: 'wait' })
      await context.close()
    }
  }

  it.each([
    ['/', 'notes.txt'],
    ['/?search=notes', 'notes.txt'],
    ['/sessions', newWord],
    ['/status', ''],
    ['/backups', ''],
    [`/backups/${snapshot.backupId}/${snapshot.snapshotId}`, newWord],
  ])('shows with new words the page %s', async (path, word) => {
    const { faults, text } = await look(path)
    expect(faults).toEqual([])
    expect(text).toContain(word)
  })

  it.each([
    ['/', 'entries'],
    ['/sessions', 'history'],
    [`/backups/${snapshot.backupId}/${snapshot.snapshotId}`, 'entries'],
  ])('shows beside the others what it cannot read of the page %s', async (path, list) => {
    const { faults, text } = await look(path, (json) => {
      const rows = json[list]
      return Array.isArray(rows) ? { ...json, [list]: [{ name: 7 }, ...rows] } : json
    })
    expect(faults).toEqual([])
    expect(text).toContain(serverTexts('en-US')('app.unreadable'))
  })

  it('goes on being set up at a state that it does not know', async () => {
    const steps = [{ step: 'download', state: 'running' }]
    const change = (json: Record<string, unknown>) =>
      'install' in json ? { ...json, active: false, install: { state: 'done', reason: null, steps } } : json
    const { faults, text } = await look('/setup', change)
    // It offers nothing to press.
    expect(faults.filter((fault) => !fault.startsWith('a dead end'))).toEqual([])
    expect(text).not.toBe('')
  })
})
