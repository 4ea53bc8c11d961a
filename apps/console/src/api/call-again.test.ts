import { clusterStart, codes } from '@atoll/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdAccount, selectAccount, startAccounts } from '../accounts/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { callAgain } from './call-again.ts'

const order = { clusterId: 'cl_abcdefgh', requestId: 'a'.repeat(32) }
const done = () => Response.json({ code: codes.ok, message: '', data: { status: 'starting' } })
const gone = () => Promise.reject(new TypeError('connection refused'))
/** Bodies of the calls so far. */
let sent: string[]

/** Answers the calls one after another; the last answer again and again. */
function answerWith(...answers: (() => Response | Promise<Response>)[]) {
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(String(body))
    return (answers.length > 1 ? answers.shift() : answers[0])?.()
  })
}

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  holdAccount(exampleAccount(1))
  holdAccount(exampleAccount(0))
  sent = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['a line that breaks', gone],
  ['a proxy without a server', () => new Response('', { status: 502 })],
  ['a server that is not available', () => Response.json({ code: codes.unavailable, message: 'Later.' })],
])('%s is waited out, with the same key', async (_what, trouble) => {
  answerWith(trouble, trouble, trouble, done)
  const answer = callAgain(clusterStart, order)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toEqual({ status: 'starting' })
  expect(sent).toHaveLength(4)
  expect(new Set(sent).size).toBe(1)
})

test('a server that stays away is told in a minute', async () => {
  answerWith(gone)
  const answer = callAgain(clusterStart, order).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await answer).toMatchObject({ kind: 'network', message: 'Network error, please try again later' })
  const { length } = sent
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(length)
})

test.each([codes.conflict, codes.serverError, codes.silent])('%i is an answer', async (code) => {
  answerWith(() => Response.json({ code, message: 'No.' }))
  await expect(callAgain(clusterStart, order)).rejects.toMatchObject({ code })
  expect(sent).toHaveLength(1)
})

test('nothing is called in the name of another account', async () => {
  answerWith(gone, done)
  const answer = callAgain(clusterStart, order).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  selectAccount(dids[1] ?? '')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toMatchObject({ kind: 'silent' })
  expect(sent).toHaveLength(1)
})
