import { avatarRemove, sessionRevoke } from '@atoll/contract/accounts'
import { clusterStart, createWorker } from '@atoll/contract/clusters'
import { type Call, type CallRequest, codes } from '@atoll/contract/wire'
import { MutationObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { selectAccount, startAccounts, storeAccount } from '../session/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { createPresses, type Presses } from './presses.ts'
import { queryClient } from './query-client.ts'
import { closeToast, shownToasts } from './show-toast.ts'

const order = { clusterId: 'cl_abcdefgh' }
const two = { ...order, offering: 'small', quantity: 2 }
const done = () => Response.json({ code: codes.ok, message: '', data: { status: 'starting', instanceIds: [] } })
const gone = () => Promise.reject(new TypeError('connection refused'))
const lost = () => new Response('', { status: 500 })
const refused = () => Response.json({ code: codes.conflict, message: 'No.' })
/** Bodies of the calls so far. */
let sent: URLSearchParams[]
const keys = () => sent.map((body) => body.get('requestId'))

/** Answers the calls one after another; the last answer again and again. */
function answerWith(...answers: (() => Response | Promise<Response>)[]) {
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push(new URLSearchParams(String(body)))
    return (answers.length > 1 ? answers.shift() : answers[0])?.()
  })
}
/** One press; resolves with the answer or the failure. */
function press<C extends Call>(presses: Presses<C>, body: CallRequest<C>): Promise<unknown> {
  const begun = presses.begin(body)
  if (!begun) return Promise.resolve('under way')
  return new MutationObserver(queryClient, presses.mutation).mutate(begun).catch((error: unknown) => error)
}
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  storeAccount(exampleAccount(1))
  storeAccount(exampleAccount(0))
  sent = []
  // The longest pause each time.
  vi.spyOn(Math, 'random').mockReturnValue(1)
  vi.useFakeTimers()
})
afterEach(() => {
  queryClient.clear()
  for (const { id } of shownToasts()) closeToast(id)
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  ['a line that is cut', gone],
  ['a proxy whose server hung up', () => new Response('<html>', { status: 502 })],
  ['a proxy whose server is away', () => new Response('', { status: 503 })],
  ['a proxy whose server took too long', () => new Response('<html>', { status: 504 })],
])('%s is waited out, with the same key', async (_what, trouble) => {
  answerWith(trouble, trouble, trouble, done)
  const answer = press(createPresses(clusterStart, false), order)
  await after(10_000)
  expect(await answer).toEqual({ status: 'starting' })
  expect(sent).toHaveLength(4)
  expect(new Set(keys()).size).toBe(1)
  expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/)
})

test.each([
  ['HTTP 500', lost, 'network'],
  ['an empty body', () => new Response(''), 'network'],
  ['a refusal', refused, 'refused'],
  ['a failing server', () => Response.json({ code: codes.serverError, message: 'No.' }), 'refused'],
  ['401', () => Response.json({ code: codes.silent, message: '' }), 'silent'],
])('%s is an answer', async (_what, answer, kind) => {
  answerWith(answer)
  await expect(press(createPresses(clusterStart, false), order)).resolves.toMatchObject({ kind })
  expect(sent).toHaveLength(1)
})

test('a call whose requests carry no key is tried once', async () => {
  answerWith(gone)
  const answer = press(createPresses(sessionRevoke, false), { id: 'ss_abcdefgh' })
  await after(60_000)
  expect(await answer).toMatchObject({ kind: 'network' })
  expect(keys()).toEqual([null])
})

test('it is tried for a minute', async () => {
  answerWith(gone)
  const answer = press(createPresses(clusterStart, false), order)
  await after(63_000)
  expect(await answer).toMatchObject({ kind: 'network', message: 'Network error, please try again later' })
  const { length } = sent
  await after(60_000)
  expect(sent).toHaveLength(length)
})

test('nothing is sent in the name of another account', async () => {
  answerWith(gone, done)
  const answer = press(createPresses(clusterStart, false), order)
  await after(0)
  selectAccount(dids[1] ?? '')
  await after(10_000)
  expect(await answer).toMatchObject({ kind: 'silent' })
  expect(sent).toHaveLength(1)
})

test('nothing is sent once nobody waits, and a person who left the page learns that it failed', async () => {
  answerWith(gone, done)
  const presses = createPresses(clusterStart, false)
  const answer = press(presses, order)
  await after(100)
  presses.leave()
  await after(60_000)
  expect(await answer).toMatchObject({ kind: 'network' })
  expect(sent).toHaveLength(1)
  expect(shownToasts()).toMatchObject([{ kind: 'failure', text: 'Network error, please try again later' }])
})

test.each([
  ['a lost answer', lost, two, 'the same key'],
  ['a lost answer, of something else', lost, { ...two, quantity: 3 }, 'another key'],
  ['a refusal', refused, two, 'another key'],
  ['an answer', done, two, 'another key'],
  ['a session that is over', () => Response.json({ code: codes.signedOut, message: '' }), two, 'the same key'],
])('what is pressed again after %s', async (_what, first, next, expected) => {
  vi.spyOn(createWorker.data, 'safeParse').mockReturnValue({ success: true, data: {} } as never)
  const presses = createPresses(createWorker, false)
  answerWith(first)
  await press(presses, two)
  answerWith(done)
  await press(presses, next)
  expect(keys()).toHaveLength(2)
  expect(keys()[1] === keys()[0] ? 'the same key' : 'another key').toBe(expected)
})

test('what is pressed again when its object has changed since the answer was lost is another request', async () => {
  answerWith(lost)
  const presses = createPresses(clusterStart, false)
  await press(presses, order)
  presses.forget()
  await press(presses, order)
  expect(new Set(keys()).size).toBe(2)
})

test('with toasts, trouble that lasts is shown once, also after leaving; closing it gives the request up', async () => {
  for (const { id } of shownToasts())
    shownToasts()
      .find((shown) => shown.id === id)
      ?.onClose?.()
  answerWith(gone)
  const presses = createPresses(clusterStart, true)
  const answer = press(presses, order)
  presses.leave()
  await after(1900)
  expect(shownToasts()).toEqual([])
  await expect(press(createPresses(clusterStart, true), order)).resolves.toBe('under way')
  await after(8000)
  expect(shownToasts()).toHaveLength(1)
  shownToasts().at(-1)?.onClose?.()
  const { length } = sent
  await after(60_000)
  expect(await answer).toMatchObject({ kind: 'network' })
  expect(sent).toHaveLength(length)
  expect(shownToasts()).toEqual([])
})

test('a refusal without another place is shown in a toast', async () => {
  answerWith(refused)
  await press(createPresses(avatarRemove, true), {})
  expect(shownToasts().at(-1)).toMatchObject({ kind: 'failure', text: 'No.' })
})
