import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dids } from '../testing/accounts.ts'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { findIdentityName } from './identity-name.ts'

beforeEach(async () => {
  stubBrowser()
  await startConsole()
})
afterEach(() => vi.unstubAllGlobals())

const did = dids[0] ?? ''

test.each([
  ['a name', () => Response.json({ code: 0, message: 'success', data: 'reef.sub.atoll.test' }), 'reef@sub.atoll.test'],
  ['no name', () => Response.json({ code: 404, message: 'No name.' }), null],
  ['an answer of another kind', () => new Response('<html>', { status: 502 }), false],
  ['an error with words', () => Response.json({ code: 500, message: 'No.' }, { status: 500 }), false],
  ['a name that is none', () => Response.json({ code: 0, data: 7 }), undefined],
])('the identity service answers %s', async (_what, answer, expected) => {
  const asked = vi.fn(async (_url: string) => answer())
  vi.stubGlobal('fetch', asked)
  expect(await findIdentityName(did)).toBe(expected)
  expect(asked.mock.calls[0]?.[0]).toBe(`/get_name_by_did/${encodeURIComponent(did)}`)
})

test('a service that does not answer costs the name, and is reported', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await findIdentityName(did)).toBe(false)
})
