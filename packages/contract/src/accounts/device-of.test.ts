import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deviceOf } from './device-of.ts'
import { deviceKinds } from './sessions.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`,
    'computer',
    'Chrome',
    'Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'computer',
    'Edge',
    'Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'computer', 'Chrome', 'Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'computer', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'computer',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'phone',
    'Safari',
    'iOS',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'tablet',
    'Chrome',
    'iPadOS',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'phone',
    'Chrome',
    'Android',
  ],
  [`Mozilla/5.0 (Linux; Android 15; SM-X900) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'tablet', 'Chrome', 'Android'],
  [
    `Mozilla/5.0 (Linux; Android 14; x) ${webkit} Version/4.0 Chrome/126 Mobile Safari/537.36 MicroMessenger/8.0`,
    'phone',
    'WeChat',
    'Android',
  ],
  ['node', 'program', 'Node.js', null],
  ['curl/8.14.1', 'program', 'curl', null],
  ['okhttp/4.12.0', 'program', 'OkHttp', null],
  ['', 'program', null, null],
])('the browser that calls itself %j is a %s with %s', (userAgent, kind, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ kind, browser, system })
})

test('any text is some device, in names from our own table', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const { kind, browser, system } = deviceOf(text)
      expect(deviceKinds).toContain(kind)
      for (const name of [browser, system]) expect(name ?? '').toMatch(/^[\w. ]*$/)
    }),
  )
})
