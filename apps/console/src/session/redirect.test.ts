import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesAccount, safeRedirect } from './redirect.ts'

const origin = 'https://console.atoll.example'

test.each([
  ['/', '/'],
  ['/create', '/create'],
  ['/create?step=hardware&name=a%2Fb#x', '/create?step=hardware&name=a%2Fb#x'],
  ['/cluster/cl_abc/../x', '/cluster/x'],
  ['/loginhelp', '/loginhelp'],
  ['/login/../instance', '/instance'],
  ['/login%', '/login%'],
])('%s is followed', (value, expected) => {
  expect(safeRedirect(value, origin)).toBe(expected)
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example/login',
  '/\t/evil.example',
  '/\n/evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  ' /create',
  'create',
  '',
  '/login',
  '/login/did:key:z6Mk?redirect=/',
  '/a/../login',
  '/LOGIN',
  '/Login/did:key:z6Mk',
  '/login/',
  '/login/../login',
  '/./LOGIN?redirect=/',
  '/%6Cogin',
  '/%4C%4F%47%49%4E/x',
  '/x\\..\\..\\evil',
  `/${'a'.repeat(3000)}`,
  7,
  null,
  ['/create'],
])('%s is not followed', (value) => {
  expect(safeRedirect(value, origin)).toBeUndefined()
})

test('whatever is followed stays on this site', () => {
  const paths = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'//\\\\..@:?#%2f\t\n aévil') }).map((text) => `/${text}`),
  )
  fc.assert(
    fc.property(paths, (value) => {
      const result = safeRedirect(value, origin)
      if (result === undefined) return
      expect(new URL(result, origin).origin).toBe(origin)
      expect(result.startsWith('/')).toBe(true)
      expect(result.startsWith('//')).toBe(false)
    }),
  )
})

const did = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'

test.each([
  [`/createMobile/${did}`, true],
  [`/createMobile/${encodeURIComponent(did)}?step=review`, true],
  [`/createMobile/${encodeURIComponent(did).replaceAll('%3A', '%3a')}`, true],
  ['/create?name=100%', false],
  ['/%', false],
])('%s names the account: %s', (path, names) => expect(namesAccount(path, did)).toBe(names))
