import type { Domain } from '@atoll/contract/domains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { domainDetailJson } from '../claims/domain-json.ts'
import { addDomain, checkDomain, removeDomain } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let serial = 0

async function shown(caller: Caller, domain: string) {
  const row = await findOwnDomain(harness.db, caller.userid, domain)
  return row && (await domainDetailJson(harness.deps, row))
}
async function check(caller: Caller, domain: string) {
  const row = await findOwnDomain(harness.db, caller.userid, domain)
  if (!row) throw new Error(`${domain} is not there`)
  harness.clock.advance(5000)
  await checkDomain(harness.deps, caller, domain)
  await harness.reconcile(row.number)
  return await domainDetailJson(harness.deps, { ...row, ...(await findOwnDomain(harness.db, caller.userid, domain)) })
}
const record = ({ txt }: Pick<Domain, 'txt'>) => `TXT ${txt?.value}`

/** A domain that is linked, or nearly, whose TXT record is gone by now, and somebody else who shows theirs. */
async function contested(status: 'BINDING' | 'ALLOCATED' = 'ALLOCATED', isSeen = false) {
  serial += 1
  const domain = `cloud.contest${serial}.example`
  const [owner, claimant] = [await harness.createCaller(), await harness.createCaller()]
  await harness.db
    .updateTable('accounts')
    .set({ email: `owner${serial}@gmail.com`, locale: 'en-US' })
    .where('account_id', '=', owner.userid)
    .execute()
  const linked = await addDomain(harness.deps, owner, { domain, method: 'ns' })
  const at = harness.clock.now()
  await harness.db
    .updateTable('domains')
    .set({ status, zone_version: 7, proven_at: at, next_check_at: new Date(at.getTime() + dayMs) })
    .where('number', '=', linked.id)
    .execute()
  harness.dns.records.add(`NS ${domain}`)
  if (isSeen) harness.dns.records.add(record(linked))
  await harness.db
    .insertInto('names')
    .values({ name: `lena@${domain}`, did: owner.did, bound_at: at })
    .execute()
  const claim = await addDomain(harness.deps, claimant, { domain, method: 'ns' })
  harness.dns.records.add(record(claim))
  await harness.reconcile(claim.id)
  await harness.reconcile(linked.id)
  return { domain, owner, claimant, linked, claim, mails: () => eventsOf(domain) }
}
const eventsOf = (domain: string) =>
  harness.mails.filter(({ params }) => params['domain'] === domain).map(({ params }) => params['event'])
const nameOf = (caller: Caller) => harness.identity.findNameOfDid(harness.db, caller.did)

/** The hours until the owner's time is over, each with the check that is due then. */
async function pass(numbers: number[], hours: number) {
  for (let hour = 0; hour < hours; hour += 1) {
    harness.clock.advance(hourMs)
    for (const number of numbers) await harness.reconcile(number)
  }
}

test('an owner who shows the old record again keeps the domain, and the claim no longer asks', async () => {
  const { domain, owner, claimant, linked, claim, mails } = await contested()
  const asked = await shown(owner, domain)
  const until = new Date(Date.parse(asked?.problem?.since ?? '') + 7 * dayMs).toISOString()
  expect(asked).toMatchObject({ status: 'ALLOCATED', problem: { key: 'contested', until }, txt: linked.txt })
  expect(asked?.records).toMatchObject([{ type: 'TXT', name: linked.txt?.name, values: [linked.txt?.value] }])
  expect((await shown(claimant, domain))?.problem).toMatchObject({ key: 'ownerAsked', until })
  expect(mails()).toEqual(['contested'])
  await pass([linked.id], 30)
  expect((await shown(owner, domain))?.problem?.key).toBe('contested')

  harness.dns.records.add(record(linked))
  expect(await check(owner, domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  expect(mails()).toEqual(['contested', 'contestOver'])
  // Its record stands there still.
  const refused = await check(claimant, domain)
  expect(refused).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'claimRefused' } })
  harness.dns.records.delete(record(linked))
  await pass([linked.id, claim.id], 8 * 24)
  expect(await shown(owner, domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  expect(await nameOf(owner)).toBe(`lena@${domain}`)
})

test('an owner who does not answer in seven days loses it, and the claimant goes on by themself', async () => {
  const { domain, owner, claimant, linked, claim, mails } = await contested()
  await pass([linked.id, claim.id], 7 * 24 - 1)
  expect((await shown(owner, domain))?.status).toBe('ALLOCATED')
  expect((await shown(claimant, domain))?.status).toBe('WAIT_TXT')
  await pass([linked.id, claim.id], 2)
  expect(await shown(owner, domain)).toBeUndefined()
  expect(await nameOf(owner)).toBeNull()
  expect(await shown(claimant, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', problem: null })
  expect(mails()).toEqual(['contested', 'domainReleased'])
})

test('a claim that is removed, or whose record is gone at the end, takes nothing', async () => {
  const removed = await contested()
  await removeDomain(harness.deps, removed.claimant, { domain: removed.domain })
  await harness.reconcile(removed.linked.id)
  expect(await shown(removed.owner, removed.domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  expect(removed.mails()).toEqual(['contested', 'contestOver'])

  const gone = await contested()
  harness.dns.records.delete(record(gone.claim))
  await pass([gone.linked.id, gone.claim.id], 7 * 24 + 2)
  expect(await shown(gone.owner, gone.domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  expect((await shown(gone.claimant, gone.domain))?.problem?.key).not.toBe('claimRefused')
  // Once it is back they are asked again.
  harness.dns.records.add(record(gone.claim))
  await check(gone.claimant, gone.domain)
  expect((await shown(gone.owner, gone.domain))?.problem?.key).toBe('contested')
})

test('a claim that is removed while the owner answers it ends, and neither waits for the other for ever', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { domain, owner, claimant, linked, claim } = await contested()
    harness.dns.records.add(record(linked))
    harness.clock.advance(hourMs)
    const jobs = [harness.reconcile(linked.id), harness.reconcile(claim.id)]
    await Promise.all([...jobs, removeDomain(harness.deps, claimant, { domain })])
    await harness.reconcile(linked.id)
    expect(await shown(owner, domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  }
})

test('one that our servers do not serve yet is not linked: it gives way at once, its name too, unless its record is there', async () => {
  for (const server of harness.deps.dns.nameServers) harness.dns.silent.add(server)
  const lost = await contested('BINDING')
  await harness.reconcile(lost.claim.id)
  expect(await shown(lost.claimant, lost.domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', problem: null })
  expect(await shown(lost.owner, lost.domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'provenByOther' } })
  expect([await nameOf(lost.owner), lost.mails()]).toEqual([null, []])

  const { owner, claimant, ...kept } = await contested('BINDING', true)
  await harness.reconcile(kept.claim.id)
  expect(await shown(claimant, kept.domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'provenByOther' } })
  harness.dns.silent.clear()
  harness.dns.zones.set(kept.domain, [])
  expect(await check(owner, kept.domain)).toMatchObject({ status: 'ALLOCATED', problem: null })
  expect(await nameOf(owner)).toBe(`lena@${kept.domain}`)
})

test('of two that prove it at once one has the owner asked; a delegation alone asks nobody', async () => {
  const { domain, owner, linked, claim } = await contested()
  const others = await Promise.all([harness.createCaller(), harness.createCaller()])
  for (const other of others) {
    const added = await addDomain(harness.deps, other, { domain, method: 'ns' })
    harness.dns.records.add(record(added))
  }
  const numbers = (await Promise.all(others.map((other) => findOwnDomain(harness.db, other.userid, domain)))).flatMap(
    (row) => row?.number ?? [],
  )
  await Promise.all(numbers.map((number) => harness.reconcile(number)))
  const row = await findOwnDomain(harness.db, owner.userid, domain)
  expect([row?.number, row?.contest_by]).toEqual([linked.id, claim.id])
  const silent = await harness.createCaller()
  await addDomain(harness.deps, silent, { domain, method: 'ns' })
  expect((await shown(silent, domain))?.problem?.key).toBe('provenByOther')
})
