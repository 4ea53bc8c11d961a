import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  codeFromFragment,
  decodeSignRequest,
  encodeSignRequest,
  type SignRequest,
  signEvents,
  walletLink,
} from './sign-request.ts'

const did = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'

const signBody = fc
  .record({
    secret: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 }),
    time: fc.nat(),
    did: fc.option(fc.constant(did), { nil: undefined }),
  })
  // As JSON has it: an absent field, not an undefined one.
  .map(({ did: asked, ...rest }) => (asked === undefined ? rest : { ...rest, did: asked }))

const signRequest: fc.Arbitrary<SignRequest> = fc
  .record({
    event: fc.constantFrom(...signEvents),
    id: fc.string({ unit: 'grapheme', maxLength: 20 }),
    body: signBody,
    callback: fc.webUrl({ validSchemes: ['http', 'https'] }),
  })
  .map(({ event, id, body, callback }) => ({
    topic: 'sign',
    event,
    message: { id, data: body, sign: { callback_url: callback, sign_body: bodyOf(event, body) } },
  }))

/** A signed body names its purpose, except for a sign-in. */
function bodyOf<B extends object>(event: SignRequest['event'], body: B): B & { event?: string } {
  return event === 'login_cloud' ? body : { ...body, event }
}

const example: SignRequest = {
  topic: 'sign',
  event: 'login_cloud',
  message: {
    id: '岛 💧',
    data: { secret: 'a'.repeat(32), time: 1 },
    sign: { callback_url: 'http://localhost:4800/v2/user/login', sign_body: { secret: 'a'.repeat(32), time: 1 } },
  },
}

function encodeText(text: string, encoding: 'base64' | 'base64url' = 'base64url'): string {
  return `space://${Buffer.from(text).toString(encoding)}`
}

describe('the text of a sign request', () => {
  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(signRequest, (request) => {
        expect(decodeSignRequest(encodeSignRequest(request))).toEqual(request)
      }),
    )
  })

  test('is base64url without padding', () => {
    fc.assert(
      fc.property(signRequest, (request) => {
        expect(encodeSignRequest(request)).toMatch(/^space:\/\/[\w-]+$/)
      }),
    )
  })

  test('may also be standard base64 with padding, and pasted with spaces around it', () => {
    fc.assert(
      fc.property(signRequest, (request) => {
        expect(decodeSignRequest(`  ${encodeText(JSON.stringify(request), 'base64')}\n`)).toEqual(request)
      }),
    )
  })

  test('keeps fields it does not know, as a signature must cover them', () => {
    const body = { ...example.message.sign.sign_body, extra: { deep: [1] } }
    const request = { ...example, message: { ...example.message, sign: { ...example.message.sign, sign_body: body } } }
    expect(decodeSignRequest(encodeText(JSON.stringify(request)))).toEqual(request)
  })

  test.each([
    ['nothing', ''],
    ['another scheme', encodeSignRequest(example).replace('space:', 'https:')],
    ['no base64', 'space://%%%'],
    ['no JSON', encodeText('{')],
    ['no UTF-8', `space://${Buffer.from([0xff, 0xfe]).toString('base64')}`],
    ['another topic', encodeText(JSON.stringify({ ...example, topic: 'pay' }))],
    ['an event we cannot explain', encodeText(JSON.stringify({ ...example, event: 'transfer' }))],
    ['an activation that would sign a sign-in', encodeText(JSON.stringify({ ...example, event: 'activate_os' }))],
    [
      'a sign-in that would sign an activation',
      encodeText(JSON.stringify(example).replace('"sign_body":{', '"sign_body":{"event":"activate_os",')),
    ],
    ['a short secret', encodeText(JSON.stringify(example).replaceAll('a'.repeat(32), 'a'.repeat(31)))],
    ['a secret in capitals', encodeText(JSON.stringify(example).replaceAll('a'.repeat(32), 'A'.repeat(32)))],
    ['a script as callback', encodeText(JSON.stringify(example).replace('http://localhost:4800', 'javascript://x'))],
    ['an endless text', `space://${'A'.repeat(8192)}`],
  ])('%s is not one', (_, text) => expect(decodeSignRequest(text)).toBeUndefined())

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => encodeText(json)),
        ),
        (text) => {
          decodeSignRequest(text)
        },
      ),
    )
  })

  test('travels in the fragment of a wallet link', () => {
    const code = encodeSignRequest(example)
    const link = new URL(walletLink('http://localhost:4801', code))
    expect(link.pathname).toBe('/approve')
    expect(codeFromFragment(link.hash)).toBe(code)
  })
})
