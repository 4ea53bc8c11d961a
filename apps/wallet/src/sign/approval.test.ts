import { describe, expect, it } from 'vitest'
import { describeApproval, inOwnBrowser, isExpired } from './approval.ts'
import { codeTime, signRequest } from './request.fixture.ts'

const lena = {
  did: 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2',
  name: 'lena@atoll.test',
  registered: true,
  createdAt: 0,
}
const other = { ...lena, did: 'did:key:z6MkqRYqQiSgvZQdnBytw86Qbs2ZWUkGv22od935YF4s8M7V', name: null }
const own = ['https://console.atoll.example', 'http://localhost:4800']
const holder = { identities: [lena, other], defaultDid: lena.did }

describe('who signs', () => {
  it('is the default identity when the code asks for nobody', () => {
    expect(describeApproval(signRequest(), holder, own)).toMatchObject({ signer: lena, askedDid: undefined })
  })

  it('is whom the person chose', () => {
    expect(describeApproval(signRequest(), holder, own, other.did).signer).toBe(other)
  })

  it('is the identity the code asks for, whatever was chosen', () => {
    const request = signRequest({ body: { did: other.did } })
    expect(describeApproval(request, holder, own, lena.did)).toMatchObject({ signer: other, askedDid: other.did })
  })

  it('is nobody when the wallet does not hold the identity asked for', () => {
    const request = signRequest({ body: { did: other.did } })
    const approval = describeApproval(request, { identities: [lena], defaultDid: lena.did }, own)
    expect(approval).toMatchObject({ signer: undefined, askedDid: other.did })
  })

  it('is nobody in an empty wallet', () => {
    expect(describeApproval(signRequest(), { identities: [], defaultDid: null }, own).signer).toBeUndefined()
  })
})

describe('where the signature goes', () => {
  it.each([
    ['https://console.atoll.example/v2/user/login', 'console.atoll.example', false],
    ['https://console.atoll.example:8443/x', 'console.atoll.example:8443', false],
    ['http://localhost:4800/v2/user/login', 'localhost:4800', false],
    ['http://reef.atoll.localhost:4802/api/activation/approve', 'reef.atoll.localhost:4802', false],
    ['http://127.0.0.1:4800/', '127.0.0.1:4800', false],
    ['http://[::1]:4800/', '[::1]:4800', false],
    ['http://console.atoll.example/', 'console.atoll.example', true],
    ['http://localhost.example/', 'localhost.example', true],
    // Letters that look like others are shown as what they are.
    ['https://cоnsole.example/', 'xn--cnsole-wqf.example', false],
    // A name in front of @ is not the host.
    ['https://console.atoll.example@evil.example/', 'evil.example', false],
  ])('of %s is shown as %s, which is insecure: %s', (callbackUrl, host, insecure) => {
    expect(describeApproval(signRequest({ callbackUrl }), holder, own)).toMatchObject({ host, insecure })
  })
})

describe('a sign-in', () => {
  it.each([
    ['https://console.atoll.example/v2/user/login', false],
    ['http://localhost:4800/v2/user/login', false],
    ['http://console.atoll.example/v2/user/login', true],
    ['https://console.atoll.example:8443/v2/user/login', true],
    ['https://console-at0ll.example/v2/user/login', true],
    ['https://console.atoll.example@evil.example/v2/user/login', true],
    ['https://console.atoll.example.evil.example/v2/user/login', true],
  ])('at %s is foreign: %s', (callbackUrl, foreign) => {
    expect(describeApproval(signRequest({ callbackUrl }), holder, own).foreign).toBe(foreign)
  })

  it('is foreign everywhere until the deployment is known; an activation is at home on any server', () => {
    expect(describeApproval(signRequest(), holder, []).foreign).toBe(true)
    const activation = signRequest({ event: 'activate_os', callbackUrl: 'https://reef.example/approve' })
    expect(describeApproval(activation, holder, own).foreign).toBe(false)
  })
})

describe('the age of a code', () => {
  it('is good for 120 s from when it was made', () => {
    const approval = describeApproval(signRequest(), holder, own)
    expect(approval).toMatchObject({ madeAt: codeTime, validUntil: codeTime + 120_000 })
    expect(isExpired(approval, codeTime + 119_999)).toBe(false)
    expect(isExpired(approval, codeTime + 120_000)).toBe(true)
    expect(isExpired(inOwnBrowser(approval), codeTime + 15 * 60_000 - 1)).toBe(false)
    expect(isExpired(inOwnBrowser(approval), codeTime + 15 * 60_000)).toBe(true)
  })
})
