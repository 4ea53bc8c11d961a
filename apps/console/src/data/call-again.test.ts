import { clusterStart } from '@atoll/contract/clusters'
import { codes } from '@atoll/contract/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdAccount, selectAccount, startAccounts } from '../session/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { callAgain, type Waiting } from './call-again.ts'

const order = { clusterId: 'cl_abcdefgh', requestId: 'a'.repeat(32) }
const done = () => Response.json({ code: codes.ok, message: '', data: { status: 'starting' } })
const gone = () => Promise.reject(new TypeError('connection refused'))
const told = vi.fn()
let patience: AbortController
let waiting: Waiting
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
  told.mockClear()
  patience = new AbortController()
  waiting = { onTrouble: told, signal: patience.signal }
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['a line that is cut', gone],
  ['a proxy whose server hung up', () => new Response('<html>', { status: 502 })],
  ['a proxy whose server is away', () => new Response('', { status: 503 })],
  ['a proxy whose server took too long', () => new Response('<html>', { status: 504 })],
])('%s is waited out, with the same key', async (_what, trouble) => {
  answerWith(trouble, trouble, trouble, done)
  const answer = callAgain(clusterStart, order, waiting)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toEqual({ status: 'starting' })
  expect(sent).toHaveLength(4)
  expect(new Set(sent).size).toBe(1)
})

test('trouble that lasts is told while it is waited out, a moment of it is not', async () => {
  answerWith(gone)
  const answer = callAgain(clusterStart, order, waiting).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1900)
  expect(told).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1100)
  const failure = { kind: 'network', message: 'Network error, please try again later' }
  expect(told.mock.lastCall).toMatchObject([failure])
  await vi.advanceTimersByTimeAsync(57_000)
  expect(await answer).toMatchObject(failure)
  const { length } = sent
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(length)
})

test.each([
  ['HTTP 500', () => new Response('', { status: 500 }), 'network'],
  ['an empty body', () => new Response(''), 'network'],
  ['a refusal', () => Response.json({ code: codes.conflict, message: 'No.' }), 'refused'],
  ['a failing server', () => Response.json({ code: codes.serverError, message: 'No.' }), 'refused'],
  ['401', () => Response.json({ code: codes.silent, message: '' }), 'silent'],
])('%s is an answer', async (_what, answer, kind) => {
  answerWith(answer)
  await expect(callAgain(clusterStart, order, waiting)).rejects.toMatchObject({ kind })
  expect(sent).toHaveLength(1)
})

test('nothing is called in the name of another account', async () => {
  answerWith(gone, done)
  const answer = callAgain(clusterStart, order, waiting).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  selectAccount(dids[1] ?? '')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await answer).toMatchObject({ kind: 'silent' })
  expect(sent).toHaveLength(1)
})

test('nothing is called for somebody who waits no more', async () => {
  answerWith(gone, done)
  const answer = callAgain(clusterStart, order, waiting).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(100)
  patience.abort()
  expect(await answer).toMatchObject({ kind: 'network' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
})
