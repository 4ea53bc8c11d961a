import type { ScriptedWallet } from '@atoll/testkit'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { addDomain, removeDomain, setRule } from '../domain-service.ts'
import { releaseDomain } from '../lifecycle/end-claim.ts'
import { createDomainWorld, type DomainWorld } from '../testing/domain-world.ts'
import { createPapers } from '../testing/wallet-papers.ts'
import { requestCredential, submitPresentation } from '../wallet-service.ts'
import { inviteMember, renewInvitation, withdrawInvitation } from './invite.ts'
import { joinDomain } from './join.ts'
import { joinPlugin } from './join-plugin.ts'
import { membersOf } from './member-store.ts'

let world: DomainWorld
const app = Fastify()
beforeAll(async () => {
  world = await createDomainWorld()
  await app.register(joinPlugin(world.deps))
})
afterAll(async () => {
  await app.close()
  await world[Symbol.asyncDispose]()
})
beforeEach(() => {
  world.mails.length = 0
  // Nobody's pause counts for the next test.
  world.clock.advance(3_600_000)
})

const locale = 'en-US'
let serial = 0

interface Organization {
  caller: Caller
  wallet: ScriptedWallet
  domain: string
}
interface Person {
  caller: Caller
  wallet: ScriptedWallet
}

/** A domain in use, whose owner is `lena`; who may join is decided by `rule`. */
async function createOrganization(rule = ''): Promise<Organization> {
  serial += 1
  return await linkDomain(await world.createWallet(), `team.members${serial}.example`, 'lena', rule)
}

/** `owner` proves `domain` and takes `adminName` under it; throws what they are denied for. */
async function linkDomain(owner: Person, domain: string, adminName: string, rule = ''): Promise<Organization> {
  const { caller, wallet } = owner
  const added = await addDomain(world.deps, caller, { domain, method: 'ns' })
  world.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
  await world.reconcile(added.id)
  const papers = createPapers(wallet, 'https://atoll.test', world.clock.now().getTime())
  const issued = await requestCredential(world.deps, caller, { domain, jws: papers.application(domain), locale })
  const jws = papers.presentation(issued.verifiableCredentials)
  const { status, reason } = await submitPresentation(world.deps, caller, { domain, jws, locale, adminName })
  if (status === 'denied') throw new Error(reason)
  if (rule !== '') await setRule(world.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: rule })
  await world.reconcile(added.id)
  return { caller, wallet, domain }
}

async function createPerson(email?: string): Promise<Person> {
  const person = await world.createWallet()
  if (email !== undefined)
    await world.db.updateTable('accounts').set({ email }).where('userid', '=', person.caller.userid).execute()
  return person
}

function joinJws(wallet: ScriptedWallet, wish: { name: string; password?: string; domain: string }): string {
  const now = Math.floor(world.clock.now().getTime() / 1000)
  const times = { nbf: now - 10, exp: now + 365 * 24 * 3600, iss: wallet.kid }
  const member = { member_name: wish.name, member_password: wish.password ?? '', org_domain: wish.domain }
  return wallet.sign({ ...member, address: '0x00', id: wallet.did, ...times })
}
const join = ({ caller, wallet }: Person, wish: Parameters<typeof joinJws>[1]) =>
  joinDomain(world.deps, { jws: joinJws(wallet, wish), locale, ip: '192.0.2.7' }, caller)
const invite = ({ caller, domain }: Organization, name: string, more: object = {}) =>
  inviteMember(world.deps, caller, { domain, name, locale, ...more })
const listed = async ({ caller, domain }: Organization) => {
  const { number } = await world.db
    .selectFrom('domains')
    .select('number')
    .where('name', '=', domain)
    .where('userid', '=', caller.userid)
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return (await membersOf(world.db, number).execute()).map(({ name, did }) => [name, did])
}
const nameOf = ({ caller }: Person) => world.identity.findNameOf(world.db, caller.userid)

describe('an invitation', () => {
  test('is taken once with its password, by a wallet that is not signed in', async () => {
    const organization = await createOrganization()
    const { domain } = organization
    const { member, oneTimePassword, mailed } = await invite(organization, 'kai')
    expect(member).toMatchObject({ terminusName: `kai@${domain}`, state: 'invited', isAdmin: false, userid: null })
    expect([oneTimePassword.length, mailed]).toEqual([12, false])
    const kai = await createPerson()
    const jws = joinJws(kai.wallet, { name: 'kai', password: oneTimePassword.toUpperCase(), domain })
    const post = async () => (await app.inject({ method: 'POST', url: '/join_organization', payload: { jws } })).json()
    expect(await post()).toEqual({ code: 0, message: 'success', data: { terminus_name: `kai@${domain}` } })
    expect(await post()).toMatchObject({ code: 0 })
    expect(await nameOf(kai)).toBe(`kai@${domain}`)
    expect(await listed(organization)).toEqual([
      ['lena', organization.wallet.did],
      ['kai', kai.wallet.did],
    ])
    const stranger = await createPerson()
    const again = joinJws(stranger.wallet, { name: 'kai', password: oneTimePassword, domain })
    await expect(joinDomain(world.deps, { jws: again, locale, ip: '::1' })).rejects.toMatchObject({
      key: 'joinRefused',
    })
    const records = await world.db
      .selectFrom('audit_records')
      .select('action')
      .where('action', 'in', ['domain.invite', 'domain.join'])
      .where('owner', '=', organization.caller.userid)
      .execute()
    expect(records.map(({ action }) => action).toSorted()).toEqual(['domain.invite', 'domain.join'])
  })

  test('keeps neither its password nor more than a hash of it', async () => {
    const organization = await createOrganization()
    const { oneTimePassword } = await invite(organization, 'kai', { requestId: 'one-time' })
    const rows = await Promise.all([
      world.db.selectFrom('domain_members').selectAll().execute(),
      world.db.selectFrom('request_keys').selectAll().execute(),
      world.db.selectFrom('audit_records').selectAll().execute(),
    ])
    expect(JSON.stringify(rows)).toContain('kai')
    expect(JSON.stringify(rows)).not.toContain(oneTimePassword)
  })

  test('that is asked for again under its key has another password, and the first works no more', async () => {
    const organization = await createOrganization()
    const { domain } = organization
    const first = await invite(organization, 'kai', { requestId: 'again-1' })
    const second = await invite(organization, 'kai', { requestId: 'again-1' })
    expect(second.oneTimePassword).not.toBe(first.oneTimePassword)
    await expect(invite(organization, 'kai')).rejects.toMatchObject({ key: 'memberExists' })
    const kai = await createPerson('kai@gmail.com')
    await expect(join(kai, { name: 'kai', password: first.oneTimePassword, domain })).rejects.toMatchObject({
      key: 'joinRefused',
    })
    expect(await join(kai, { name: 'kai', password: second.oneTimePassword, domain })).toBe(`kai@${domain}`)
  })

  test('is spent by five wrong passwords, lapses after seven days, and is renewed', async () => {
    const organization = await createOrganization()
    const { caller, domain } = organization
    const kai = await createPerson('kai@gmail.com')
    const { oneTimePassword } = await invite(organization, 'kai')
    const wrong = () => join(kai, { name: 'kai', password: 'aaaaaaaaaaaa', domain })
    for (let count = 0; count < 5; count += 1) await expect(wrong()).rejects.toMatchObject({ key: 'joinRefused' })
    const right = (password: string) => join(kai, { name: 'kai', password, domain })
    await expect(right(oneTimePassword)).rejects.toMatchObject({ key: 'joinRefused' })
    const renewed = await renewInvitation(world.deps, caller, { domain, name: 'kai', locale })
    world.clock.advance(7 * 24 * 3_600_000)
    await expect(right(renewed.oneTimePassword)).rejects.toMatchObject({ key: 'joinRefused' })
    const last = await renewInvitation(world.deps, caller, { domain, name: `kai@${domain}`, locale })
    expect(await right(last.oneTimePassword)).toBe(`kai@${domain}`)
  })

  test('is taken back while nobody has the ID, and not after', async () => {
    const organization = await createOrganization()
    const { caller, domain } = organization
    const { oneTimePassword: kept } = await invite(organization, 'kai')
    const { oneTimePassword: lost } = await invite(organization, 'moa')
    await withdrawInvitation(world.deps, caller, { domain, name: 'moa' })
    const person = await createPerson('a@gmail.com')
    await expect(join(person, { name: 'moa', password: lost, domain })).rejects.toMatchObject({ key: 'joinRefused' })
    await join(person, { name: 'kai', password: kept, domain })
    await expect(withdrawInvitation(world.deps, caller, { domain, name: 'kai' })).rejects.toMatchObject({
      key: 'memberJoined',
    })
    await expect(withdrawInvitation(world.deps, caller, { domain, name: 'moa' })).rejects.toMatchObject({
      key: 'notFound',
    })
  })

  test('is mailed where that is wished, once a minute to a mailbox', async () => {
    const organization = await createOrganization()
    const { caller, domain } = organization
    const { oneTimePassword } = await invite(organization, 'kai', { email: ' Kai@Gmail.com ', locale: 'zh-CN' })
    expect(world.mails).toMatchObject([
      { to: 'Kai@gmail.com', locale: 'zh-CN', params: { event: 'invited', password: oneTimePassword, domain } },
    ])
    const mail = () => renewInvitation(world.deps, caller, { domain, name: 'kai', email: 'kai@gmail.com', locale })
    await expect(mail()).rejects.toMatchObject({ key: 'invitationMailTooMany' })
    world.clock.advance(61_000)
    expect(await mail()).toMatchObject({ mailed: true, member: { email: 'kai@gmail.com' } })
    expect(world.mails).toHaveLength(2)
    await expect(invite(organization, 'moa', { email: 'nonsense' })).rejects.toMatchObject({ key: 'emailMalformed' })
  })

  test('names what can be an ID and nobody has', async () => {
    const organization = await createOrganization()
    for (const [name, key] of [
      ['admin', 'nameReserved'],
      ['Ka i', 'nameMalformed'],
      ['a', 'nameMalformed'],
      ['lena', 'nameTaken'],
    ] as const)
      await expect(invite(organization, name)).rejects.toMatchObject({ key })
    const other = await createOrganization()
    await expect(invite({ ...organization, domain: other.domain }, 'kai')).rejects.toMatchObject({ key: 'notFound' })
  })
})

describe('joining by email', () => {
  test('takes a proven email at a suffix of the rule, and a name that is free', async () => {
    const organization = await createOrganization('@reef.example, lagoon.example')
    const { domain } = organization
    world.dns.mailServers.set('reef.example', ['aspmx.l.google.com'])
    const moa = await createPerson('moa@reef.example')
    expect(await join(moa, { name: 'moa', domain })).toBe(`moa@${domain}`)
    await expect(join(await createPerson('b@reef.example'), { name: 'moa', domain })).rejects.toMatchObject({
      key: 'nameTaken',
    })
    await invite(organization, 'kai')
    await expect(join(await createPerson('c@reef.example'), { name: 'kai', domain })).rejects.toMatchObject({
      key: 'nameTaken',
    })
  })

  test.each([
    [undefined, 'joinEmailMissing'],
    ['moa@below.reef.example', 'joinEmailOther'],
    ['moa@gmail.com', 'joinEmailOther'],
    ['moa@lagoon.example', 'organizationEmail'],
    ['moa@silent.example', 'organizationEmailUnknown'],
  ] as const)('with %s is refused: %s', async (email, key) => {
    const { domain } = await createOrganization('reef.example,lagoon.example,silent.example')
    world.dns.mailServers.set('silent.example', undefined).set('lagoon.example', ['mx.google.com.evil.example'])
    const person = await createPerson(email)
    await expect(join(person, { name: 'moa', domain })).rejects.toMatchObject({ key })
    expect(await nameOf(person)).toBeNull()
  })

  test('is not offered by a domain whose members are invited, nor to a wallet that is not signed in', async () => {
    const invited = await createOrganization()
    const person = await createPerson('moa@gmail.com')
    await expect(join(person, { name: 'moa', domain: invited.domain })).rejects.toMatchObject({
      key: 'joinInvitedOnly',
    })
    const { domain } = await createOrganization('gmail.com')
    const jws = joinJws(person.wallet, { name: 'moa', domain })
    await expect(joinDomain(world.deps, { jws, locale, ip: '::1' })).rejects.toMatchObject({ key: 'joinRefused' })
  })
})

describe('nobody joins', () => {
  test('a domain that is not, is not ready, or is lost; nor as somebody else; nor with an ID', async () => {
    const organization = await createOrganization()
    const { domain } = organization
    const kai = await createPerson('kai@gmail.com')
    await expect(join(kai, { name: 'kai', password: 'x', domain: 'none.example' })).rejects.toMatchObject({
      key: 'organizationUnknown',
    })
    const { oneTimePassword: password } = await invite(organization, 'kai')
    const other = await createPerson('other@gmail.com')
    await expect(join({ ...kai, caller: other.caller }, { name: 'kai', password, domain })).rejects.toMatchObject({
      key: 'signedByOther',
    })
    await expect(join(organization, { name: 'kai', password, domain })).rejects.toMatchObject({
      key: 'organizationEmail',
    })
    const without = await createPerson()
    await expect(join(without, { name: 'kai', password, domain })).rejects.toMatchObject({ key: 'organizationEmail' })
    await world.db
      .updateTable('domains')
      .set({ problem: 'delegationLost', problem_since: world.clock.now() })
      .where('name', '=', domain)
      .execute()
    await expect(join(kai, { name: 'kai', password, domain })).rejects.toMatchObject({ key: 'domainUnreachable' })
  })

  test('twice at once: of ten who have the password one gets the ID', async () => {
    const organization = await createOrganization()
    const { domain } = organization
    const { oneTimePassword: password } = await invite(organization, 'kai')
    const people = await Promise.all(Array.from({ length: 10 }, () => createPerson('kai@gmail.com')))
    const ends = await Promise.allSettled(people.map((person) => join(person, { name: 'kai', password, domain })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listed(organization)).toHaveLength(2)
  })
})

test('members end with their domain: their IDs are free, kept for them, and they are told', async () => {
  const organization = await createOrganization()
  const { caller, domain } = organization
  const { oneTimePassword: password } = await invite(organization, 'kai')
  await invite(organization, 'moa')
  const kai = await createPerson('kai@gmail.com')
  await world.db.updateTable('accounts').set({ locale: 'zh-CN' }).where('userid', '=', kai.caller.userid).execute()
  await join(kai, { name: 'kai', password, domain })
  await removeDomain(world.deps, caller, { domain, confirm: domain })
  expect(await nameOf(kai)).toBeNull()
  expect(world.mails).toMatchObject([
    { to: 'kai@gmail.com', locale: 'zh-CN', params: { event: 'nameLost', name: `kai@${domain}` } },
  ])
  expect(await addDomain(world.deps, caller, { domain, method: 'ns' })).toMatchObject({ status: 'WAIT_TXT' })
  expect(await listed(organization)).toEqual([])
  expect(await releaseDomain(world.deps, domain)).toBeUndefined()
})

describe('an ID that ended with its domain', () => {
  /** Kai was a member until the domain was released; somebody else has it now. */
  async function createSuccessor() {
    const before = await createOrganization()
    const { domain } = before
    const kai = await createPerson('kai@gmail.com')
    const { oneTimePassword: password } = await invite(before, 'kai')
    await join(kai, { name: 'kai', password, domain })
    expect(await releaseDomain(world.deps, domain)).toBe(before.caller.userid)
    return { before, kai, successor: await linkDomain(await world.createWallet(), domain, 'mira') }
  }
  const day = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString().slice(0, 10)
  const keptMs = 90 * 24 * 3_600_000

  test('is not what somebody else is invited to for 90 days', async () => {
    const { successor } = await createSuccessor()
    for (const more of [{}, { email: 'other@gmail.com' }])
      await expect(invite(successor, 'kai', more)).rejects.toMatchObject({
        key: 'invitationNameKept',
        params: { name: `kai@${successor.domain}`, date: day(keptMs) },
      })
    expect(await listed(successor)).toEqual([['mira', successor.caller.userid]])
    world.clock.advance(keptMs)
    expect(await invite(successor, 'kai')).toMatchObject({ member: { state: 'invited' } })
  })

  test('is what its last holder is invited to by the email of their account, and joins with alone', async () => {
    const { kai, successor } = await createSuccessor()
    const { domain } = successor
    const { oneTimePassword: password } = await invite(successor, 'kai', { email: 'Kai@gmail.com' })
    const other = await createPerson('other@gmail.com')
    await expect(join(other, { name: 'kai', password, domain })).rejects.toMatchObject({ key: 'nameKept' })
    expect(await join(kai, { name: 'kai', password, domain })).toBe(`kai@${domain}`)
  })

  test('is not the first ID of who has the domain next, nor what a rule lets others take', async () => {
    const { before, kai, successor } = await createSuccessor()
    expect(await releaseDomain(world.deps, successor.domain)).toBe(successor.caller.userid)
    const third = await world.createWallet()
    const { domain } = successor
    const denied = await linkDomain(third, domain, 'lena').catch((error: unknown) => error)
    expect(String(denied)).toContain(`lena@${domain} is kept for its last holder until ${day(keptMs)}`)
    expect(await world.identity.findNameOf(world.db, third.caller.userid)).toBeNull()
    await removeDomain(world.deps, third.caller, { domain, confirm: domain })
    const again = await linkDomain(before, domain, 'lena')
    await setRule(world.deps, again.caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'gmail.com' })
    const other = await createPerson('other@gmail.com')
    await expect(join(other, { name: 'kai', domain })).rejects.toMatchObject({ key: 'nameKept' })
    expect(await join(kai, { name: 'kai', domain })).toBe(`kai@${domain}`)
  })
})
