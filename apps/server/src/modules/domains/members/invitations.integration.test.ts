import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { organizationsIn } from '../testing/organization-steps.ts'
import { renewInvitation, withdrawInvitation } from './invite.ts'
import { joinDomain } from './join.ts'
import { joinPlugin } from './join-plugin.ts'

const locale = 'en-US'
const app = Fastify()
let harness: DomainHarness
let steps: ReturnType<typeof organizationsIn>
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = organizationsIn(harness)
  await app.register(joinPlugin(harness.deps))
})
afterAll(async () => {
  await app.close()
  await harness[Symbol.asyncDispose]()
})
beforeEach(() => {
  harness.mails.length = 0
  // Nobody's pause counts for the next test.
  harness.clock.advance(3_600_000)
})

describe('an invitation', () => {
  test('is taken once with its password, by a wallet that is not signed in', async () => {
    const organization = await steps.createOrganization()
    const { domain } = organization
    const { member, oneTimePassword, mailed } = await steps.invite(organization, 'kai')
    expect(member).toMatchObject({ terminusName: `kai@${domain}`, state: 'invited', isAdmin: false, userid: null })
    expect([oneTimePassword.length, mailed]).toEqual([12, false])
    const kai = await steps.createPerson()
    const jws = steps.joinJws(kai.wallet, { name: 'kai', password: oneTimePassword.toUpperCase(), domain })
    const post = async () => (await app.inject({ method: 'POST', url: '/join_organization', payload: { jws } })).json()
    expect(await post()).toEqual({ code: 0, message: 'success', data: { terminus_name: `kai@${domain}` } })
    expect(await post()).toMatchObject({ code: 0 })
    expect(await steps.nameOf(kai)).toBe(`kai@${domain}`)
    expect(await steps.listed(organization)).toEqual([
      ['lena', organization.wallet.did],
      ['kai', kai.wallet.did],
    ])
    const stranger = await steps.createPerson()
    const again = steps.joinJws(stranger.wallet, { name: 'kai', password: oneTimePassword, domain })
    await expect(joinDomain(harness.deps, { jws: again, locale, ip: '::1' })).rejects.toMatchObject({
      key: 'joinRefused',
    })
    const records = await harness.db
      .selectFrom('audit_entries')
      .select('action')
      .where('action', 'in', ['domain.invite', 'domain.join'])
      .where('owner', '=', organization.caller.did)
      .execute()
    expect(records.map(({ action }) => action).toSorted()).toEqual(['domain.invite', 'domain.join'])
  })

  test('keeps neither its password nor more than a hash of it', async () => {
    const organization = await steps.createOrganization()
    const { oneTimePassword } = await steps.invite(organization, 'kai', { requestId: 'one-time' })
    const rows = await Promise.all([
      harness.db.selectFrom('domain_members').selectAll().execute(),
      harness.db.selectFrom('request_keys').selectAll().execute(),
      harness.db.selectFrom('audit_entries').selectAll().execute(),
    ])
    expect(JSON.stringify(rows)).toContain('kai')
    expect(JSON.stringify(rows)).not.toContain(oneTimePassword)
  })

  test('that is asked for again under its key has another password, and the first no longer works', async () => {
    const organization = await steps.createOrganization()
    const { domain } = organization
    const first = await steps.invite(organization, 'kai', { requestId: 'again-1' })
    const second = await steps.invite(organization, 'kai', { requestId: 'again-1' })
    expect(second.oneTimePassword).not.toBe(first.oneTimePassword)
    await expect(steps.invite(organization, 'kai')).rejects.toMatchObject({ key: 'memberExists' })
    const kai = await steps.createPerson('kai@gmail.com')
    await expect(steps.join(kai, { name: 'kai', password: first.oneTimePassword, domain })).rejects.toMatchObject({
      key: 'joinRefused',
    })
    expect(await steps.join(kai, { name: 'kai', password: second.oneTimePassword, domain })).toBe(`kai@${domain}`)
  })

  test('is not spent by wrong passwords, lapses after seven days, and is renewed', async () => {
    const organization = await steps.createOrganization()
    const { caller, domain } = organization
    const kai = await steps.createPerson('kai@gmail.com')
    const { oneTimePassword } = await steps.invite(organization, 'kai')
    const { oneTimePassword: forMoa } = await steps.invite(organization, 'moa')
    const wrong = (password: string) => steps.join(kai, { name: 'moa', password, domain })
    for (const password of [...Array<string>(12).fill('aaaaaaaaaaaa'), oneTimePassword])
      await expect(wrong(password)).rejects.toMatchObject({ key: 'joinRefused' })
    const moa = await steps.createPerson('moa@gmail.com')
    expect(await steps.join(moa, { name: 'moa', password: forMoa, domain })).toBe(`moa@${domain}`)
    const right = (password: string) => steps.join(kai, { name: 'kai', password, domain })
    const renewed = await renewInvitation(harness.deps, caller, { domain, name: 'kai', locale })
    harness.clock.advance(7 * 24 * 3_600_000)
    await expect(right(renewed.oneTimePassword)).rejects.toMatchObject({ key: 'joinRefused' })
    const last = await renewInvitation(harness.deps, caller, { domain, name: `kai@${domain}`, locale })
    expect(await right(last.oneTimePassword)).toBe(`kai@${domain}`)
  })

  test('is taken back while nobody has the ID, and not after', async () => {
    const organization = await steps.createOrganization()
    const { caller, domain } = organization
    const { oneTimePassword: kept } = await steps.invite(organization, 'kai')
    const { oneTimePassword: lost } = await steps.invite(organization, 'moa')
    await withdrawInvitation(harness.deps, caller, { domain, name: 'moa' })
    const person = await steps.createPerson('a@gmail.com')
    await expect(steps.join(person, { name: 'moa', password: lost, domain })).rejects.toMatchObject({
      key: 'joinRefused',
    })
    await steps.join(person, { name: 'kai', password: kept, domain })
    await expect(withdrawInvitation(harness.deps, caller, { domain, name: 'kai' })).rejects.toMatchObject({
      key: 'memberJoined',
    })
    await expect(withdrawInvitation(harness.deps, caller, { domain, name: 'moa' })).rejects.toMatchObject({
      key: 'notFound',
    })
  })

  test('is mailed where that is asked for, once a minute to a mailbox', async () => {
    const organization = await steps.createOrganization()
    const { caller, domain } = organization
    const { oneTimePassword } = await steps.invite(organization, 'kai', { email: ' Kai@Gmail.com ', locale: 'zh-CN' })
    expect(harness.mails).toMatchObject([
      { to: 'Kai@gmail.com', locale: 'zh-CN', params: { event: 'invited', password: oneTimePassword, domain } },
    ])
    const mail = (email = 'kai@gmail.com') =>
      renewInvitation(harness.deps, caller, { domain, name: 'kai', email, locale })
    for (const email of ['kai@gmail.com', 'k.a.i+2@gmail.com'])
      await expect(mail(email)).rejects.toMatchObject({ key: 'invitationMailTooMany' })
    harness.clock.advance(61_000)
    expect(await mail()).toMatchObject({ mailed: true, member: { email: 'kai@gmail.com' } })
    expect(harness.mails).toHaveLength(2)
    await expect(steps.invite(organization, 'moa', { email: 'nonsense' })).rejects.toMatchObject({
      key: 'emailMalformed',
    })
  })

  test('names what can be an ID and nobody has', async () => {
    const organization = await steps.createOrganization()
    for (const [name, key] of [
      ['admin', 'nameReserved'],
      ['Ka i', 'nameMalformed'],
      ['a', 'nameMalformed'],
      ['lena', 'nameTaken'],
    ] as const)
      await expect(steps.invite(organization, name)).rejects.toMatchObject({ key })
    const other = await steps.createOrganization()
    await expect(steps.invite({ ...organization, domain: other.domain }, 'kai')).rejects.toMatchObject({
      key: 'notFound',
    })
  })
})
