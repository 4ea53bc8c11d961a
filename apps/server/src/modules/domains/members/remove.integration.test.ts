import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { setRule } from '../claims/domain-service.ts'
import { nameHosts } from '../hosts/cluster-hosts.ts'
import { findCustomHost } from '../records/host-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { organizationsIn, type Person } from '../testing/organization-steps.ts'
import { offersJson } from '../transfers/transfer-json.ts'
import { offerTransfer } from '../transfers/transfer-service.ts'
import { withdrawInvitation } from './invite.ts'
import { removeMember } from './remove.ts'

let harness: DomainHarness
let steps: ReturnType<typeof organizationsIn>
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = organizationsIn(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000

/** An organization with the member `kai`. */
async function withKai() {
  const organization = await steps.createOrganization()
  const { domain } = organization
  const kai = await steps.createPerson('kai@gmail.com')
  const { oneTimePassword: password } = await steps.invite(organization, 'kai')
  await steps.join(kai, { name: 'kai', password, domain })
  harness.mails.length = 0
  const remove = (confirm?: string) => removeMember(harness.deps, organization.caller, { domain, name: 'kai', confirm })
  return { organization, domain, kai, remove, whole: `kai@${domain}` }
}

async function addCluster({ caller: { userid: owner } }: Person): Promise<string> {
  const id = newId('cl')
  const at = harness.clock.now()
  const facts = { cluster_type: 'SelfHost', status: 'running', desired: 'running' } as const
  await harness.db
    .insertInto('clusters')
    .values({ id, owner, name: id, host_label: id.slice(3), ...facts, created_at: at, changed_at: at, checked_at: at })
    .execute()
  await harness.db.transaction().execute((trx) => nameHosts(harness.deps, trx, owner))
  return id
}

test('a member is removed once the whole ID is typed: ID and hosts end, and the person is told', async () => {
  const { organization, domain, kai, remove, whole } = await withKai()
  const clusterId = await addCluster(kai)
  expect(await findCustomHost(harness.db, `kai.${domain}`)).toMatchObject({ clusterId })
  for (const typed of [undefined, 'kai', domain, `kaj@${domain}`])
    await expect(remove(typed)).rejects.toMatchObject({ key: 'memberConfirm', params: { name: whole } })
  expect(await steps.nameOf(kai)).toBe(whole)
  await remove(whole.toUpperCase())
  expect(await steps.nameOf(kai)).toBeNull()
  expect(await findCustomHost(harness.db, `kai.${domain}`)).toBeUndefined()
  expect((harness.dns.zones.get(domain) ?? []).filter(({ name }) => name.includes('kai'))).toEqual([])
  expect(await steps.listed(organization)).toEqual([['lena', organization.caller.did]])
  expect(harness.mails).toMatchObject([
    { to: 'kai@gmail.com', params: { event: 'memberRemoved', domain, name: whole } },
  ])
  // A cluster that is created at the same moment gets no host either.
  await addCluster(kai)
  expect(await findCustomHost(harness.db, `kai.${domain}`)).toBeUndefined()
  await expect(remove(whole)).rejects.toMatchObject({ key: 'notFound' })
})

test('the name is kept from everybody for a year, also from who had it, and is free after', async () => {
  const { organization, domain, kai, remove, whole } = await withKai()
  await setRule(harness.deps, organization.caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'reef.example' })
  // As rules were before those of public providers were refused.
  const old = { rule_data: 'gmail.com' }
  await harness.db.updateTable('domains').set(old).where('userid', '=', organization.caller.userid).execute()
  await remove(whole)
  const until = new Date(harness.clock.now().getTime() + 365 * dayMs).toISOString().slice(0, 10)
  const other = await steps.createPerson('other@gmail.com')
  for (const person of [kai, other])
    await expect(steps.join(person, { name: 'kai', domain })).rejects.toMatchObject({
      key: 'nameRemoved',
      params: { name: whole, date: until },
    })
  harness.clock.advance(365 * dayMs - 1)
  await expect(steps.join(other, { name: 'kai', domain })).rejects.toMatchObject({ key: 'nameRemoved' })
  harness.clock.advance(1)
  expect(await steps.join(other, { name: 'kai', domain })).toBe(whole)
})

test('the owner gives the name away by an invitation, and takes that back without setting it free', async () => {
  const { organization, domain, remove, whole } = await withKai()
  await remove(whole)
  const other = await steps.createPerson('other@gmail.com')
  const { oneTimePassword: lost } = await steps.invite(organization, 'kai')
  await withdrawInvitation(harness.deps, organization.caller, { domain, name: 'kai' })
  await expect(steps.join(other, { name: 'kai', password: lost, domain })).rejects.toMatchObject({ key: 'joinRefused' })
  const { oneTimePassword: password } = await steps.invite(organization, 'kai')
  expect(await steps.join(other, { name: 'kai', password, domain })).toBe(whole)
})

test('the owner keeps their own ID, strangers remove nobody, and an offer of the domain ends with its member', async () => {
  const { organization, domain, kai, remove, whole } = await withKai()
  const { caller } = organization
  const own = { domain, name: 'lena', confirm: `lena@${domain}` }
  await expect(removeMember(harness.deps, caller, own)).rejects.toMatchObject({ key: 'memberIsOwner' })
  for (const stranger of [kai.caller, await harness.createCaller()])
    await expect(removeMember(harness.deps, stranger, { domain, name: 'kai', confirm: whole })).rejects.toMatchObject({
      key: 'notFound',
    })
  await offerTransfer(harness.deps, caller, { domain, to: 'kai' })
  expect(await offersJson(harness.deps, kai.caller.did)).toHaveLength(1)
  await remove(whole)
  expect(await offersJson(harness.deps, kai.caller.did)).toEqual([])
})
