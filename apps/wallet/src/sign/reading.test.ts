import { encodeSignRequest } from '@atoll/contract/identity'
import { expect, it } from 'vitest'
import { readCode } from './reading.ts'
import { signRequest } from './request.fixture.ts'

it('reads a sign request with spaces round it', () => {
  const request = signRequest()
  expect(readCode(` ${encodeSignRequest(request)}\n`)).toEqual({ kind: 'request', request })
})

it.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['https://example.com/', 'address'],
  ['did:key:z6MkvARm', 'identity'],
  ['space://', 'damaged'],
  ['space://bm9uc2Vuc2U', 'damaged'],
  ['WIFI:T:WPA;S:reef;;', 'other'],
])('explains %j as %s', (text, reason) => {
  expect(readCode(text)).toEqual({ kind: 'unknown', reason })
})

it('does not sign for an event it cannot explain', () => {
  const text = `space://${btoa(JSON.stringify({ ...signRequest(), event: 'move_funds' }))}`
  expect(readCode(text)).toEqual({ kind: 'unknown', reason: 'damaged' })
})
