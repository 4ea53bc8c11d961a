import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { valuesOf, withErased } from './asked-value.ts'

test.each([
  ['Reef.Atoll.Test', ['reef.atoll.test', 'atoll.test']],
  ['https://user@shop.reef.example:8443/a?b=c@d#e', ['shop.reef.example', 'reef.example']],
  ['reef.example.', ['reef.example']],
  ['203.0.113.9', ['203.0.113.9']],
  ['http://203.0.113.9:25/x', ['203.0.113.9']],
  ['[2001:db8::9]:443', ['2001:db8::9']],
  ['2001:DB8::9', ['2001:db8::9']],
  ['2001:0db8:0:0::0009', ['2001:db8::9']],
  ['fe80::1%eth0', ['fe80::1%eth0']],
  ['bücher.example', ['xn--bcher-kva.example']],
  ['a b', []],
])('%s is looked for as %j', (what, values) => {
  expect(valuesOf(what)).toEqual(values)
})

test('values are looked for as they are, and hashed as the erasure of an account leaves them', () => {
  const hashed = ['203.0.113.9', 'reef.example'].map(
    (value) => `sha256:${createHash('sha256').update(value).digest('hex')}`,
  )
  expect(withErased(['203.0.113.9', 'reef.example'])).toEqual(['203.0.113.9', 'reef.example', ...hashed])
})
