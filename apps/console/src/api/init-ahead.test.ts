import { beforeEach, expect, it, vi } from 'vitest'
import { exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { askInitAhead, takeInitAhead } from './init-ahead.ts'

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }))
  return () => vi.unstubAllGlobals()
})

it('is taken once, by the session that asked', async () => {
  askInitAhead(exampleAccount(0))
  await expect(takeInitAhead(exampleAccount(0))).rejects.toMatchObject({ kind: 'network' })
  expect(takeInitAhead(exampleAccount(0))).toBeUndefined()
})

it('is nobody else’s, and not of a later session', () => {
  askInitAhead(exampleAccount(0))
  expect(takeInitAhead(exampleAccount(1))).toBeUndefined()
  askInitAhead(exampleAccount(0))
  expect(takeInitAhead(exampleAccount(0, { token: 'later' }))).toBeUndefined()
  expect(takeInitAhead(undefined)).toBeUndefined()
})
