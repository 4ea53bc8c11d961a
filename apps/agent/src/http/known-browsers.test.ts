import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { findKnownBrowser, knownBrowserCookie } from './known-browsers.ts'

const from = (cookie: string) => ({ headers: { cookie } }) as IncomingMessage
const pairOf = (header: string) => header.split(';')[0] ?? ''

test.each([
  [false, /^known=/],
  [true, /^__Host-known=.*; Secure$/],
])('a browser is known by its cookie, over https: %s', (isSecure, form) => {
  const header = knownBrowserCookie('scrypt$a', isSecure)
  expect(header).toMatch(form)
  expect(header).toContain('HttpOnly; SameSite=Strict')
  expect(findKnownBrowser(from(`theme=dark; ${pairOf(header)}`), 'scrypt$a')).toMatch(/^[\w-]{22}$/)
})

test('and no longer once the password is another', () => {
  expect(findKnownBrowser(from(pairOf(knownBrowserCookie('scrypt$a', false))), 'scrypt$b')).toBeUndefined()
})

test.each(['', 'known=', 'known=x.y', `known=${'a'.repeat(22)}.${'b'.repeat(43)}`])('%j is nobody', (cookie) => {
  expect(findKnownBrowser(from(cookie), 'scrypt$a')).toBeUndefined()
})

test('two browsers are two', () => {
  const ids = [1, 2].map(() => findKnownBrowser(from(pairOf(knownBrowserCookie('scrypt$a', false))), 'scrypt$a'))
  expect(new Set(ids).size).toBe(2)
})
