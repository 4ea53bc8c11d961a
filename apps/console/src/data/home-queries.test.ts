import { beforeEach, expect, it, vi } from 'vitest'
import type { EarlyInit } from '../app/early/ask-early.ts'
import { exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { takeInitAhead } from './home-queries.ts'

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  return () => {
    vi.unstubAllGlobals()
    globalThis.earlyInit = undefined
  }
})

/** As the early script leaves it for the first example account, answered with a proxy's failure. */
function leave(facts: Partial<EarlyInit> = {}): void {
  const answered = Promise.resolve({ response: new Response('', { status: 502 }), text: '' })
  globalThis.earlyInit = { token: exampleAccount(0).token, locale: 'en-US', askedAt: Date.now(), answered, ...facts }
}

it('is taken once, by the session that asked, and read like any answer', async () => {
  leave()
  await expect(takeInitAhead(exampleAccount(0))).rejects.toMatchObject({ kind: 'network' })
  expect(takeInitAhead(exampleAccount(0))).toBeUndefined()
})

it('is nobody else’s, and not of a later session', () => {
  leave()
  expect(takeInitAhead(exampleAccount(1))).toBeUndefined()
  leave()
  expect(takeInitAhead(exampleAccount(0, { token: 'later' }))).toBeUndefined()
  leave()
  expect(takeInitAhead(undefined)).toBeUndefined()
})

it('is not taken in another language, nor when it is old', () => {
  leave({ locale: 'zh-CN' })
  expect(takeInitAhead(exampleAccount(0))).toBeUndefined()
  leave({ askedAt: Date.now() - 31_000 })
  expect(takeInitAhead(exampleAccount(0))).toBeUndefined()
})

it('reports a line that was cut like any other', async () => {
  const answered = Promise.reject(new TypeError('Failed to fetch'))
  answered.catch(() => undefined)
  leave({ answered })
  await expect(takeInitAhead(exampleAccount(0))).rejects.toMatchObject({ kind: 'network' })
})
