import { expect, it } from 'vitest'
import { codeTime, signRequest } from './request.fixture.ts'
import { buildSignedHeader, buildSignedPayload } from './signed-payload.ts'

const kid = 'did:key:z6Mka#z6Mka'

it('signs the sign_body with issuer, start and an end in 365 days, and nothing else', () => {
  expect(buildSignedPayload(signRequest(), kid, codeTime + 12_345)).toEqual({
    secret: '00112233445566778899aabbccddeeff',
    time: codeTime,
    iss: kid,
    nbf: codeTime / 1000 + 12,
    exp: codeTime / 1000 + 12 + 31_536_000,
  })
})

it('lets no code decide the issuer or the times', () => {
  const request = signRequest({ body: { iss: 'did:key:zEvil#zEvil', nbf: 1, exp: 99 } })
  expect(buildSignedPayload(request, kid, codeTime)).toMatchObject({ iss: kid, nbf: codeTime / 1000 })
})

it('says what it is for when that is not a sign-in', () => {
  expect(buildSignedPayload(signRequest({ event: 'activate_os' }), kid, codeTime)).toMatchObject({
    event: 'activate_os',
  })
})

it('says in the header where it goes and what was typed, whatever the code says', () => {
  const request = signRequest({ body: { match: '47', aud: 'https://evil.example' } })
  expect(buildSignedHeader(request, '82')).toEqual({ aud: 'https://console.atoll.example', match: '82' })
  expect(buildSignedHeader(request, undefined)).toEqual({ aud: 'https://console.atoll.example' })
  expect(buildSignedHeader(signRequest({ event: 'activate_os' }), undefined)).toEqual({})
})
