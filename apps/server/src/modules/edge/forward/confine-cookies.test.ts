import { expect, test } from 'vitest'
import { confineClearing, confineCookies } from './confine-cookies.ts'

const host = 'reef.atoll.test'

test.each([
  ['a=1; Domain=reef.atoll.test; Path=/', 'a=1; Domain=reef.atoll.test; Path=/'],
  ['a=1; domain=.Reef.Atoll.Test', 'a=1; domain=.Reef.Atoll.Test'],
  ['a=1; Domain=auth.reef.atoll.test', 'a=1; Domain=auth.reef.atoll.test'],
  ['a=1; Domain=atoll.test; Path=/', 'a=1; Path=/'],
  ['a=1; Path=/;dOMAIN = .atoll.test ; Secure', 'a=1; Path=/; Secure'],
  ['a=1; Domain=lagoon.atoll.test', 'a=1'],
  ['a=1; Domain=evilreef.atoll.test', 'a=1'],
  ['a=1; Domain=test', 'a=1'],
  ['a=1; Domain=reef.atoll.test; Domain=atoll.test', 'a=1; Domain=reef.atoll.test'],
  ['a=1; Domain', 'a=1'],
  ['a=1; Domain=reef.atoll.test=x', 'a=1'],
  // The cookie's own name and value are the instance's.
  ['Domain=atoll.test; Path=/', 'Domain=atoll.test; Path=/'],
  ['a=Domain=atoll.test', 'a=Domain=atoll.test'],
])('%j is passed on as %j', (cookie, passed) => {
  expect(confineCookies([cookie], host)).toEqual([passed])
})

test.each([
  ['"cache", "storage"', '"cache", "storage"'],
  ['"cache", "cookies", "storage"', '"cache", "storage"'],
  ['cookies,"executionContexts"', '"executionContexts"'],
  ['"*"', '"cache", "storage"'],
])('Clear-Site-Data: %s is passed on as %j', (types, passed) => expect(confineClearing(types)).toBe(passed))

test.each(['"cookies"', '"Cookies" , "cookies"', ''])('Clear-Site-Data: %s is not passed on', (types) =>
  expect(confineClearing(types)).toBeUndefined(),
)
