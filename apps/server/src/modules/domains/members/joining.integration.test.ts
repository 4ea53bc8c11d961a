import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publishChange } from '../../../platform/events/index.ts'
import { removeDomain } from '../claims/domain-service.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { organizationsIn } from '../testing/organization-steps.ts'
import { joinDomain } from './join.ts'

const locale = 'en-US'
let harness: DomainHarness
let steps: ReturnType<typeof organizationsIn>
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = organizationsIn(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())
beforeEach(() => {
  harness.mails.length = 0
  // Nobody's pause counts for the next test.
  harness.clock.advance(3_600_000)
})

describe('joining by email', () => {
  test('takes a proven email at a suffix of the rule, and a name that is free', async () => {
    const organization = await steps.createOrganization('@reef.example, lagoon.example')
    const { domain } = organization
    harness.dns.mailServers.set('reef.example', ['aspmx.l.google.com'])
    const moa = await steps.createPerson('moa@reef.example')
    expect(await steps.join(moa, { name: 'moa', domain })).toBe(`moa@${domain}`)
    await expect(steps.join(await steps.createPerson('b@reef.example'), { name: 'moa', domain })).rejects.toMatchObject(
      {
        key: 'nameTaken',
      },
    )
    await steps.invite(organization, 'kai')
    await expect(steps.join(await steps.createPerson('c@reef.example'), { name: 'kai', domain })).rejects.toMatchObject(
      {
        key: 'nameTaken',
      },
    )
  })

  test.each([
    ['no address', 'joinEmailMissing'],
    ['moa@below.reef.example', 'joinEmailOther'],
    ['moa@gmail.com', 'joinEmailOther'],
    ['moa@lagoon.example', 'organizationEmail'],
    ['moa@silent.example', 'organizationEmailUnknown'],
  ] as const)('with %s is refused: %s', async (email, key) => {
    const { domain } = await steps.createOrganization('reef.example,lagoon.example,silent.example')
    harness.dns.mailServers.set('silent.example', undefined).set('lagoon.example', ['mx.google.com.evil.example'])
    const person = await steps.createPerson(email === 'no address' ? undefined : email)
    await expect(steps.join(person, { name: 'moa', domain })).rejects.toMatchObject({ key })
    expect(await steps.nameOf(person)).toBeNull()
  })

  test('is not offered by a domain whose members are invited, nor to a wallet that is not signed in', async () => {
    const invited = await steps.createOrganization()
    const person = await steps.createPerson('moa@gmail.com')
    await expect(steps.join(person, { name: 'moa', domain: invited.domain })).rejects.toMatchObject({
      key: 'joinInvitedOnly',
    })
    const { domain } = await steps.createOrganization('reef.example')
    const jws = steps.joinJws(person.wallet, { name: 'moa', domain })
    await expect(joinDomain(harness.deps, { jws, locale, ip: '::1' })).rejects.toMatchObject({ key: 'joinRefused' })
  })
})

test("the owner of a domain receives changes of a member's cluster, until the domain is given up", async () => {
  const organization = await steps.createOrganization('reef.example')
  const { caller, domain } = organization
  harness.dns.mailServers.set('reef.example', ['aspmx.l.google.com'])
  const moa = await steps.createPerson('mina@reef.example')
  const received = async () => {
    const seen = harness.db.selectFrom('changes').select('object_id').where('account', '=', caller.userid)
    return (await seen.where('topic', '=', 'cluster').execute()).map(({ object_id }) => object_id)
  }
  const change = (id: string) => publishChange(harness.db, { account: moa.caller.userid, topic: 'cluster', id })
  await change('cl_before')
  await steps.join(moa, { name: 'moa', domain })
  await change('cl_member')
  await removeDomain(harness.deps, caller, { domain, confirm: domain })
  await change('cl_after')
  expect(await received()).toEqual(['cl_member'])
})

describe('nobody joins', () => {
  test('a domain that is not, is not ready, or is lost; nor as somebody else; nor with an ID', async () => {
    const organization = await steps.createOrganization()
    const { domain } = organization
    const kai = await steps.createPerson('kai@gmail.com')
    await expect(steps.join(kai, { name: 'kai', password: 'x', domain: 'none.example' })).rejects.toMatchObject({
      key: 'organizationUnknown',
    })
    const { oneTimePassword: password } = await steps.invite(organization, 'kai')
    const other = await steps.createPerson('other@gmail.com')
    await expect(steps.join({ ...kai, caller: other.caller }, { name: 'kai', password, domain })).rejects.toMatchObject(
      {
        key: 'signedByOther',
      },
    )
    await expect(steps.join(organization, { name: 'kai', password, domain })).rejects.toMatchObject({
      key: 'organizationEmail',
    })
    const without = await steps.createPerson()
    await expect(steps.join(without, { name: 'kai', password, domain })).rejects.toMatchObject({
      key: 'organizationEmail',
    })
    await harness.db
      .updateTable('domains')
      .set({ problem: 'delegationLost', problem_since: harness.clock.now() })
      .where('name', '=', domain)
      .execute()
    await expect(steps.join(kai, { name: 'kai', password, domain })).rejects.toMatchObject({ key: 'domainUnreachable' })
  })

  test('with a wrong password, or takes a domain away that is not theirs, and waits for the lock on all names first', async () => {
    const organization = await steps.createOrganization()
    const { domain } = organization
    await steps.invite(organization, 'kai')
    const kai = await steps.createPerson('kai@gmail.com')
    await harness.db.transaction().execute(async (trx) => {
      await harness.deps.names.lock(trx)
      for (const name of ['kai', 'moa']) {
        await expect(steps.join(kai, { name, password: 'aaaaaaaaaaaa', domain })).rejects.toMatchObject({
          key: 'joinRefused',
        })
      }
      await expect(removeDomain(harness.deps, kai.caller, { domain, confirm: domain })).rejects.toMatchObject({
        key: 'notFound',
      })
    })
  })

  test('twice at once: of ten who have the password one gets the ID', async () => {
    const organization = await steps.createOrganization()
    const { domain } = organization
    const { oneTimePassword: password } = await steps.invite(organization, 'kai')
    const people = await Promise.all(Array.from({ length: 10 }, () => steps.createPerson('kai@gmail.com')))
    const ends = await Promise.allSettled(people.map((person) => steps.join(person, { name: 'kai', password, domain })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await steps.listed(organization)).toHaveLength(2)
  })
})
