import { activeLogin, logout } from '@atoll/contract/accounts'
import { clusterStop, resourceList } from '@atoll/contract/clusters'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseLocale } from '../locales/language.ts'
import {
  currentAccount,
  removeAccount,
  removeAllAccounts,
  selectAccount,
  startAccounts,
  storeAccount,
} from '../session/account-store.ts'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { CallFailure } from './call-failure.ts'
import { callApi } from './client.ts'
import { onSignedOut } from './signed-out.ts'

const signedOut = vi.fn()
let requests: { url: string; init: RequestInit }[] = []

/** Answers every request with `respond`. */
function answerWith(respond: () => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    return respond()
  })
}
const envelope = (code: number, rest: object = {}) => Response.json({ code, message: '', ...rest })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as CallFailure,
  )

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  storeAccount(exampleAccount(0, { token: crypto.randomUUID() }))
  requests = []
  signedOut.mockClear()
  onSignedOut(signedOut)
})
afterEach(() => vi.unstubAllGlobals())

test('a call is form-encoded, carries the account in its headers and names the language', async () => {
  answerWith(() => envelope(200, { data: { status: 'stopping' } }))
  const answer = await callApi(clusterStop, { clusterId: 'cl_abcdefgh' })
  expect(answer).toEqual({ status: 'stopping' })
  const [request] = requests
  expect(request?.url).toBe('/v1/resource/stop')
  expect(request?.init.body).toBe('clusterId=cl_abcdefgh')
  expect(request?.init.headers).toEqual({
    'Content-Type': 'application/x-www-form-urlencoded',
    'Accept-Language': 'en-US',
    userid: dids[0],
    token: currentAccount()?.token,
  })
})

test('asking for an approved code carries no account', async () => {
  answerWith(() => envelope(200, { data: {} }))
  await callApi(activeLogin, { secret: '0'.repeat(32) })
  expect(Object.keys(requests[0]?.init.headers ?? {})).toEqual(['Content-Type', 'Accept-Language'])
})

test('where hosts differ, Chinese readers use the host for China', async () => {
  await startConsole({ hosts: { global: 'https://a.example', china: 'https://b.example/' } })
  answerWith(() => envelope(200, { data: [] }))
  await callApi(resourceList, {})
  await chooseLocale('zh-CN')
  await callApi(resourceList, {})
  expect(requests.map(({ url }) => url)).toEqual(['https://a.example/v1/resource/', 'https://b.example/v1/resource/'])
})

test.each([
  ['HTTP 502', () => new Response('', { status: 502 }), 'network', 'Network error, please try again later'],
  ['an empty body', () => new Response(''), 'network', 'Network error, please try again later'],
  ['no answer', () => Promise.reject(new TypeError('failed')), 'network', 'Network error, please try again later'],
  ['a message', () => envelope(409, { message: 'It is stopped.' }), 'refused', 'It is stopped.'],
  ['no message', () => envelope(500), 'refused', 'Something Wrong. Please try again!'],
  [
    'an answer of another shape',
    () => envelope(200, { data: { x: 1 } }),
    'refused',
    'Something Wrong. Please try again!',
  ],
  ['401', () => envelope(401), 'silent', 'Something Wrong. Please try again!'],
])('%s fails as it should', async (_what, respond, kind, message) => {
  answerWith(respond)
  const error = await failure(callApi(clusterStop, { clusterId: 'cl_abcdefgh' }))
  expect(error).toBeInstanceOf(CallFailure)
  expect(error).toMatchObject({ kind, message })
  expect(signedOut).not.toHaveBeenCalled()
})

test('many calls that get 506 lead to signing in once, and the session counts as expired', async () => {
  answerWith(() => envelope(506))
  await Promise.all(Array.from({ length: 5 }, () => failure(callApi(resourceList, {}))))
  expect(signedOut).toHaveBeenCalledTimes(1)
  expect(signedOut.mock.calls[0]?.[0]).toMatchObject({ userid: dids[0] })
  expect(currentAccount()?.expired).toBe(0)
})

test('a 506 for the session before does not throw out the new one', async () => {
  let answer: (response: Response) => void = () => undefined
  answerWith(
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve
      }),
  )
  const late = failure(callApi(resourceList, {}))
  await vi.waitFor(() => expect(requests).toHaveLength(1))
  storeAccount(exampleAccount(0, { token: 'fresh' }))
  answer(envelope(506))
  expect(await late).toMatchObject({ kind: 'signedOut' })
  expect(signedOut).not.toHaveBeenCalled()
  expect(currentAccount()?.expired).toBeGreaterThan(0)
})

test('a call that the page gave up throws what fetch throws', async () => {
  const page = new AbortController()
  answerWith(
    () =>
      new Promise<Response>((_resolve, reject) =>
        page.signal.addEventListener('abort', () => reject(page.signal.reason)),
      ),
  )
  const call = failure(callApi(resourceList, {}, page.signal))
  page.abort()
  expect(await call).not.toBeInstanceOf(CallFailure)
})

test.each([
  ['another account’s', () => selectAccount(dids[1] ?? '')],
  ['nobody’s', removeAllAccounts],
])('an answer that comes when the page is %s is dropped without a word', async (_what, change) => {
  storeAccount(exampleAccount(1))
  selectAccount(dids[0] ?? '')
  const late = Promise.withResolvers<Response>()
  answerWith(() => late.promise)
  const asked = failure(callApi(resourceList, {}))
  change()
  late.resolve(envelope(506))
  expect(await asked).toMatchObject({ kind: 'silent' })
  expect(signedOut).not.toHaveBeenCalled()
})

test('an answer to who called on purpose comes through: the account that is signed out ends its session', async () => {
  const leaving = currentAccount()
  answerWith(() => envelope(200, { data: {} }))
  removeAccount(leaving?.userid ?? '')
  expect(await callApi(logout, {}, undefined, leaving)).toEqual({})
})
