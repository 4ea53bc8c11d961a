/** A proof never outlives control of the name (design/domains, "Whose domain"). */
import type { Domain } from '@atoll/contract/domains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { domainDetailJson } from '../claims/domain-json.ts'
import { addDomain, changeMethod, checkDomain, removeDomain, restartDomain, setRule } from '../claims/domain-service.ts'
import { isBound } from '../records/domain-state.ts'
import { findOwnDomain, listDomains } from '../records/domain-store.ts'
import type { DomainHarness } from '../testing/domain-harness.ts'
import { releaseDomain } from './end-claim.ts'
import { createProofHarness } from './proof.fixture.ts'

const dayMs = 24 * 60 * 60_000
let harness: DomainHarness
beforeAll(async () => {
  harness = await createProofHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

let serial = 0
const record = ({ txt }: Pick<Domain, 'txt'>) => `TXT ${txt?.value}`
function newApex(): string {
  serial += 1
  return `proof${serial}.example`
}
const add = (caller: Caller, domain: string) =>
  addDomain(harness.deps, caller, { domain, method: 'ns', confirm: domain })

async function shown(caller: Caller, domain: string) {
  const row = await findOwnDomain(harness.db, caller.userid, domain)
  return row && (await domainDetailJson(harness.deps, row))
}
async function check(caller: Caller, domain: string) {
  const row = await findOwnDomain(harness.db, caller.userid, domain)
  if (!row) throw new Error(`${domain} is not there`)
  harness.clock.advance(5000)
  if (row.status === 'WAIT_TXT' || row.status === 'WAIT_NS' || isBound(row.status))
    await checkDomain(harness.deps, caller, domain)
  await harness.reconcile(row.number)
  return await shown(caller, domain)
}
/** A claim that shows its record, and points here with `isDelegated`. */
async function prove(caller: Caller, domain: string, isDelegated = false): Promise<Domain> {
  const added = await add(caller, domain)
  harness.dns.records.add(record(added))
  await harness.reconcile(added.id)
  if (isDelegated) {
    harness.dns.records.add(`NS ${domain}`)
    await check(caller, domain)
  }
  return added
}
async function link(caller: Caller, domain: string): Promise<Domain> {
  const added = await prove(caller, domain, true)
  await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', added.id).execute()
  await setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  await harness.reconcile(added.id)
  expect((await shown(caller, domain))?.status).toBe('BIND')
  return added
}
async function people<N extends number>(count: N): Promise<Caller[]> {
  return await Promise.all(Array.from({ length: count }, () => harness.createCaller()))
}

describe('a claim that ended', () => {
  test.each(['the operator released it', 'it was removed', 'it lost a contest'])(
    'gives no status to the next one at the same apex: %s',
    async (how) => {
      const [before, owner] = (await people(2)) as [Caller, Caller]
      const domain = newApex()
      const first = await link(before, domain)
      harness.dns.records.delete(record(first))
      if (how === 'it lost a contest') {
        // Its owner moved the name servers away, and proves it.
        harness.dns.records.delete(`NS ${domain}`)
        const claim = await prove(owner, domain)
        await harness.reconcile(first.id)
        harness.clock.advance(7 * dayMs)
        await harness.reconcile(first.id)
        expect(await shown(before, domain)).toBeUndefined()
        // 165 ms later, before the claim of the owner is looked at.
        harness.clock.advance(165)
        harness.dns.records.add(`NS ${domain}`)
        expect(await add(before, domain)).toMatchObject({ status: 'WAIT_TXT' })
        harness.dns.records.delete(`NS ${domain}`)
        await harness.reconcile(claim.id)
        expect(await shown(owner, domain)).toMatchObject({ status: 'WAIT_NS' })
        return
      }
      if (how === 'it was removed') await removeDomain(harness.deps, before, { domain, confirm: domain })
      else await releaseDomain(harness.deps, domain)
      const again = await add(before, domain)
      expect(again).toMatchObject({ status: 'WAIT_TXT' })
      await harness.reconcile(again.id)
      expect(await shown(before, domain)).toMatchObject({ status: 'WAIT_TXT', look: { passed: false } })
    },
  )
})

describe('a proven claim that is not bound', () => {
  test('gives way at once to a record that is seen, while its own is not', async () => {
    const [former, owner] = (await people(2)) as [Caller, Caller]
    const domain = `cloud.${newApex()}`
    const first = await prove(former, domain, true)
    const claim = await add(owner, domain)
    harness.dns.records.add(record(claim))
    await harness.reconcile(claim.id)
    // Both are there: the first one stays.
    expect(await shown(owner, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'provenByOther' } })
    harness.dns.unanswered.add(record(first))
    expect(await check(owner, domain)).toMatchObject({ status: 'WAIT_TXT' })
    harness.dns.unanswered.delete(record(first))
    harness.dns.records.delete(record(first))
    expect(await check(owner, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', problem: null })
    expect(await shown(former, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'provenByOther' } })
    expect((await shown(former, domain))?.txt?.value).not.toBe(first.txt?.value)
  })

  test('of a part, or of the whole, gives way too', async () => {
    const [former, owner] = (await people(2)) as [Caller, Caller]
    for (const [left, wanted] of [
      ['part.', ''],
      ['', 'part.'],
    ] as const) {
      const domain = `cloud.${newApex()}`
      const first = await prove(former, `${left}${domain}`, true)
      await expect(add(owner, `${wanted}${domain}`)).rejects.toThrow()
      harness.dns.records.delete(record(first))
      // Nobody has looked since.
      harness.clock.advance(dayMs / 2)
      const claim = await add(owner, `${wanted}${domain}`)
      harness.dns.records.add(record(claim))
      await harness.reconcile(claim.id)
      expect(await shown(owner, `${wanted}${domain}`)).toMatchObject({ status: 'WAIT_NS' })
      for (const caller of [former, owner])
        for (const { name } of await listDomains(harness.db, caller.userid))
          await removeDomain(harness.deps, caller, { domain: name })
    }
  })

  test.each(['WAIT_NS', 'WAIT_REQUEST_VC'])(
    'lapses after 7 days in a row without its record, at %s',
    async (status) => {
      const caller = await harness.createCaller()
      const domain = `cloud.${newApex()}`
      const added = await prove(caller, domain, status !== 'WAIT_NS')
      harness.dns.records.delete(record(added))
      harness.clock.advance(dayMs)
      await harness.reconcile(added.id)
      const from = harness.clock.now().getTime()
      const until = new Date(from + 7 * dayMs).toISOString()
      const unseen = await shown(caller, domain)
      expect(unseen).toMatchObject({ status, problem: { key: 'proofUnseen', until } })
      expect(unseen?.records[0]).toMatchObject({ type: 'TXT', name: added.txt?.name, values: [added.txt?.value] })
      // Seen once, it begins again.
      harness.dns.records.add(record(added))
      harness.clock.advance(3 * dayMs)
      await harness.reconcile(added.id)
      expect((await shown(caller, domain))?.problem?.key).not.toBe('proofUnseen')
      harness.dns.records.delete(record(added))
      const begun = harness.clock.now().getTime()
      while ((await shown(caller, domain))?.status === status) {
        harness.clock.advance(8 * 60 * 60_000)
        await harness.reconcile(added.id)
        expect(harness.clock.now().getTime() - begun).toBeLessThan(9 * dayMs)
      }
      expect(harness.clock.now().getTime() - begun).toBeGreaterThanOrEqual(7 * dayMs)
      expect(await shown(caller, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'proofLapsed' } })
      expect(harness.dns.zones.has(domain)).toBe(false)
    },
  )

  test('lapses so while our servers do not serve it yet, with what it was used for, and is not linked by a proof that is not seen', async () => {
    const caller = await harness.createCaller()
    const domain = `cloud.${newApex()}`
    for (const server of harness.deps.dns.nameServers) harness.dns.silent.add(server)
    const added = await prove(caller, domain, true)
    await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', added.id).execute()
    await setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
    await harness.reconcile(added.id)
    await harness.db
      .insertInto('names')
      .values({ name: `lena@${domain}`, did: caller.did, bound_at: harness.clock.now() })
      .execute()
    // A week of checks is over, and they paused.
    harness.clock.advance(8 * dayMs)
    await harness.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'BINDING', problem: { key: 'checksPaused' } })
    harness.dns.records.delete(record(added))
    harness.dns.records.delete(`NS ${domain}`)
    harness.clock.advance(dayMs)
    await harness.reconcile(added.id)
    const until = new Date(harness.clock.now().getTime() + 7 * dayMs).toISOString()
    const unseen = await shown(caller, domain)
    expect(unseen).toMatchObject({ status: 'BINDING', problem: { key: 'proofUnseen', until } })
    expect(unseen?.records[0]).toMatchObject({ type: 'TXT', values: [added.txt?.value] })
    // That they serve it by now proves nothing.
    harness.dns.silent.clear()
    expect(await check(caller, domain)).toMatchObject({ status: 'BINDING', problem: { key: 'proofUnseen' } })
    for (let day = 0; day < 8; day += 1) {
      harness.clock.advance(dayMs)
      await harness.reconcile(added.id)
    }
    expect(await shown(caller, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'proofLapsed' } })
    expect([harness.dns.zones.has(domain), await harness.identity.findNameOfDid(harness.db, caller.did)]).toEqual([
      ...[false, null],
    ])
  })

  test('at a delegated apex stays proven while our name servers are named, and starting over asks the same', async () => {
    const caller = await harness.createCaller()
    const domain = newApex()
    const added = await prove(caller, domain, true)
    for (let day = 0; day < 40; day += 1) {
      harness.clock.advance(dayMs)
      await harness.reconcile(added.id)
    }
    expect(await shown(caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', problem: null })
    harness.clock.advance(5000)
    await restartDomain(harness.deps, caller, domain)
    await harness.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', txt: added.txt })
    // Somebody else has the domain, and neither leads it here nor shows the record.
    harness.dns.records.delete(`NS ${domain}`)
    harness.dns.records.delete(record(added))
    expect(await restartDomain(harness.deps, caller, domain)).toMatchObject({ txt: added.txt })
    await harness.reconcile(added.id)
    const after = await shown(caller, domain)
    expect(after).toMatchObject({ status: 'WAIT_TXT' })
    expect(after?.txt?.value).not.toBe(added.txt?.value)
    expect(harness.dns.zones.has(domain)).toBe(false)
  })
})

test.each([
  ['part.', ''],
  ['', 'part.'],
])('a linked domain that leads here no more bars nobody for good: %s, wanted %s', async (left, wanted) => {
  const [former, owner] = (await people(2)) as [Caller, Caller]
  const domain = `cloud.${newApex()}`
  const [lost, name] = [`${left}${domain}`, `${wanted}${domain}`]
  const linked = await link(former, lost)
  await expect(add(owner, name)).rejects.toThrow()
  harness.dns.records.delete(record(linked))
  harness.dns.records.delete(`NS ${lost}`)
  harness.clock.advance(dayMs)
  await harness.reconcile(linked.id)
  const claim = await prove(owner, name)
  expect(await shown(owner, name)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'ownerAsked', other: lost } })
  expect(await shown(former, lost)).toMatchObject({ status: 'BIND', problem: { key: 'contested', other: name } })
  harness.clock.advance(7 * dayMs)
  await harness.reconcile(linked.id)
  expect(await shown(former, lost)).toBeUndefined()
  await harness.reconcile(claim.id)
  expect(await shown(owner, name)).toMatchObject({ status: 'WAIT_NS', problem: null })
})

test('all parts that a former owner lost are asked for at once, not one after the other', async () => {
  const [former, owner] = (await people(2)) as [Caller, Caller]
  const name = `cloud.${newApex()}`
  const parts = ['a', 'b', 'c'].map((part) => `${part}.${name}`)
  const linked: Domain[] = []
  for (const part of parts) linked.push(await link(former, part))
  for (const one of linked) {
    harness.dns.records.delete(record(one))
    harness.dns.records.delete(`NS ${one.domain}`)
  }
  harness.clock.advance(dayMs)
  for (const { id } of linked) await harness.reconcile(id)
  const claim = await prove(owner, name)
  const problems = await Promise.all(parts.map(async (part) => (await shown(former, part))?.problem?.key))
  expect(problems).toEqual(['contested', 'contested', 'contested'])
  harness.clock.advance(7 * dayMs)
  for (const { id } of linked) await harness.reconcile(id)
  await harness.reconcile(claim.id)
  expect(await shown(owner, name)).toMatchObject({ status: 'WAIT_NS', problem: null })
})

test('a part that still leads here keeps the name, and no lost one beside it is asked for', async () => {
  const [former, other, owner] = (await people(3)) as [Caller, Caller, Caller]
  const name = `cloud.${newApex()}`
  const lost = await link(former, `a.${name}`)
  const held = await link(other, `b.${name}`)
  harness.dns.records.delete(record(lost))
  harness.dns.records.delete(`NS ${lost.domain}`)
  harness.clock.advance(dayMs)
  for (const { id } of [lost, held]) await harness.reconcile(id)
  await prove(owner, name)
  expect((await shown(former, lost.domain))?.problem?.key).toBe('delegationLost')
  expect((await shown(owner, name))?.status).toBe('WAIT_TXT')
})

test('neither a move to the other way nor checks that are asked for hide that a linked domain no longer leads here', async () => {
  const [former, owner] = (await people(2)) as [Caller, Caller]
  const name = `cloud.${newApex()}`
  const part = `part.${name}`
  const linked = await link(former, part)
  const turn = (method: 'ns' | 'cname') => changeMethod(harness.deps, former, { domain: part, method, confirm: part })
  const problem = async () => (await shown(former, part))?.problem?.key
  const isBarred = async () =>
    await add(owner, name).then(
      () => false,
      () => true,
    )
  harness.dns.records.delete(record(linked))
  harness.dns.records.delete(`NS ${part}`)
  harness.clock.advance(dayMs)
  await harness.reconcile(linked.id)
  await turn('cname')
  await check(former, part)
  expect(await problem()).toBe('delegationLost')
  // The same where the move comes first: it has a week from its beginning.
  harness.dns.records.add(`CNAME *.${part}`)
  await check(former, part)
  expect([await problem(), await isBarred()]).toEqual([undefined, true])
  harness.dns.records.delete(`CNAME *.${part}`)
  await turn('ns')
  for (let day = 0; day < 8; day += 1) {
    await check(former, part)
    await turn(day % 2 === 0 ? 'cname' : 'ns')
    harness.clock.advance(dayMs)
  }
  await check(former, part)
  expect([await problem(), await isBarred()]).toEqual(['delegationLost', false])
})

test('a proof whose record is not there now leads no further, until it is there again', async () => {
  const [caller] = (await people(1)) as [Caller]
  const domain = `cloud.${newApex()}`
  const added = await prove(caller, domain, true)
  await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', added.id).execute()
  const rule = () => setRule(harness.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  harness.dns.records.delete(record(added))
  harness.dns.records.delete(`NS ${domain}`)
  harness.clock.advance(2 * dayMs)
  await harness.reconcile(added.id)
  await expect(rule()).rejects.toMatchObject({ key: 'domainUnseen' })
  expect((await shown(caller, domain))?.actions).toContain('check')
  harness.dns.records.add(record(added))
  harness.dns.records.add(`NS ${domain}`)
  await checkDomain(harness.deps, caller, domain)
  await harness.reconcile(added.id)
  await rule()
  await harness.reconcile(added.id)
  expect((await shown(caller, domain))?.status).toBe('BIND')
})
