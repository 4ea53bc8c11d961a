import { createWorker } from '@atoll/contract/clusters'
import { codes } from '@atoll/contract/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdAccount, startAccounts } from '../session/account-store.ts'
import { exampleAccount } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { createKeyedRequests } from './keyed-requests.ts'

const two = { clusterId: 'cl_abcdefgh', offering: 'small', quantity: 2 }
const waiting = { onTrouble: () => undefined, signal: new AbortController().signal }
const three = { ...two, quantity: 3 }
/** Keys of the calls so far. */
let keys: (string | null)[]
let answer: () => Response

beforeEach(async () => {
  stubBrowser()
  await startConsole()
  startAccounts()
  holdAccount(exampleAccount(0))
  keys = []
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    keys.push(new URLSearchParams(String(body)).get('requestId'))
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

const lost = () => new Response('', { status: 500 })
const refused = () => Response.json({ code: codes.conflict, message: 'No.' })
const over = () => Response.json({ code: codes.signedOut, message: '' })
const done = () => Response.json({ code: codes.ok, message: '', data: { instanceIds: [], status: 'running' } })

test.each([
  ['a lost answer', lost, two, 'the same key'],
  ['a lost answer, of something else', lost, three, 'another key'],
  ['a refusal', refused, two, 'another key'],
  ['an answer', done, two, 'another key'],
  ['a session that is over', over, two, 'the same key'],
])('what is asked for again after %s', async (_what, first, next, expected) => {
  vi.spyOn(createWorker.data, 'safeParse').mockReturnValue({ success: true, data: {} } as never)
  const send = createKeyedRequests()
  answer = first
  await send(createWorker, two, waiting).catch(() => undefined)
  answer = done
  await send(createWorker, next, waiting)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1] === keys[0] ? 'the same key' : 'another key').toBe(expected)
})
