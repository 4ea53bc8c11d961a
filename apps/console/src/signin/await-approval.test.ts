import { activeLogin, logout, openCode } from '@atoll/contract/accounts'
import { signInPollMs } from '@atoll/contract/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dids, exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { awaitApproval } from './await-approval.ts'
import { makeSignInCode } from './sign-in-code.ts'

let calls: { path: string; init: RequestInit }[]

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  calls = []
  const answers: Record<string, unknown> = {
    [openCode.path]: { matchNumber: '47' },
    [activeLogin.path]: exampleAccount(1),
    [logout.path]: {},
  }
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, init })
    return Response.json({ code: 200, message: '', data: answers[path] })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function listen(did: string | undefined) {
  const listener = { onOpened: vi.fn(), onNews: vi.fn(), onApproved: vi.fn(), onFailure: vi.fn() }
  const stop = awaitApproval(makeSignInCode('https://console.atoll.example', did, Date.now()), listener)
  return { listener, stop }
}

test('a code for one account says so to the server, and its session is taken', async () => {
  const { listener, stop } = listen(dids[1])
  await vi.advanceTimersByTimeAsync(signInPollMs)
  stop()
  expect(calls[0]).toMatchObject({ path: openCode.path, init: { body: expect.stringContaining('did=did%3Akey') } })
  expect(listener.onApproved).toHaveBeenCalledWith(exampleAccount(1))
  expect(listener.onNews).not.toHaveBeenCalled()
})

test('the session of another account is not taken, but ended', async () => {
  const { listener, stop } = listen(dids[0])
  await vi.advanceTimersByTimeAsync(signInPollMs)
  stop()
  expect(listener.onApproved).not.toHaveBeenCalled()
  expect(listener.onNews).toHaveBeenCalledWith({ refused: 'otherDid' })
  const { userid, token } = exampleAccount(1)
  expect(calls.at(-1)?.init.headers).toMatchObject({ userid, token })
})
