import { decodeSignRequest } from '@atoll/contract/identity'
import { expect, test } from 'vitest'
import { dids } from '../testing/accounts.ts'
import { makeSignInCode } from './sign-in-code.ts'

test('a code is what the wire asks for', () => {
  const { secret, text, time } = makeSignInCode('https://console.atoll.example', undefined, 1_900_000_000_000.4)
  expect(secret).toMatch(/^[0-9a-f]{32}$/)
  const request = decodeSignRequest(text)
  const body = { secret, time: 1_900_000_000_000 }
  expect(time).toBe(body.time)
  expect(request).toMatchObject({
    topic: 'sign',
    event: 'login_cloud',
    message: {
      data: body,
      sign: { callback_url: 'https://console.atoll.example/v2/user/login', sign_body: body },
    },
  })
  expect(request?.message.data).not.toHaveProperty('did')
})

test('a known account is asked for by its DID, signed and unsigned', () => {
  const request = decodeSignRequest(makeSignInCode('http://localhost:4800', dids[0], 1).text)
  expect(request?.message.data.did).toBe(dids[0])
  expect(request?.message.sign.sign_body.did).toBe(dids[0])
})

test('no two codes are alike', () => {
  const codes = Array.from({ length: 50 }, () => makeSignInCode('http://localhost', undefined, 1))
  expect(new Set(codes.map(({ secret }) => secret)).size).toBe(50)
})
