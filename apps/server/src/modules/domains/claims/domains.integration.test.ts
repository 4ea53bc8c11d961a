/** A domain from the claim to the name that is served, who may add one, and its rule. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findOwnDomain, listDomains } from '../records/domain-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { type DomainSteps, stepsIn } from '../testing/domain-steps.ts'
import { domainJson } from './domain-json.ts'
import {
  addDomain,
  changeMethod,
  checkDomain,
  getRule,
  removeDomain,
  restartDomain,
  setRule,
} from './domain-service.ts'

let harness: DomainHarness
let steps: DomainSteps
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = stepsIn(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

describe('a domain', () => {
  test('goes from the claim to the name that is served, each step recorded and published', async () => {
    const caller = await harness.createCaller()
    const domain = steps.newName()
    const added = await addDomain(harness.deps, caller, { domain: ` ${domain.toUpperCase()}. ` })
    expect(added).toMatchObject({
      domain,
      status: 'WAIT_TXT',
      method: 'ns',
      problem: null,
      actions: ['check', 'delete'],
    })
    await harness.reconcile(added.id)
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'WAIT_TXT',
      records: [{ type: 'TXT', name: added.txt?.name, values: [added.txt?.value] }],
      look: { passed: false, verdicts: [{ kind: 'missing' }], nextAt: expect.any(String) },
    })
    harness.dns.records.add(steps.provable(added))
    harness.clock.advance(10_000)
    await harness.reconcile(added.id)
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'WAIT_NS',
      ns: '[ns1.dns.test,ns2.dns.test]',
      records: [{ type: 'NS', name: domain, values: ['ns1.dns.test', 'ns2.dns.test'] }],
    })
    expect(harness.dns.zones.get(domain)).toEqual([])
    harness.dns.records.add(`NS ${domain}`)
    harness.clock.advance(10_000)
    await harness.reconcile(added.id)
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'WAIT_REQUEST_VC',
      actions: ['restart', 'delete'],
    })
    await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', added.id).execute()
    await setRule(harness.deps, caller, {
      domain,
      ruleType: 'fixed_email_suffix',
      ruleData: ' @Reef.example, reef.example',
    })
    expect(await getRule(harness.deps, domain)).toEqual({ ruleType: 'fixed_email_suffix', ruleData: 'reef.example' })
    harness.dns.silent.add('ns2.dns.test')
    harness.clock.advance(4000)
    await harness.reconcile(added.id)
    harness.clock.advance(20_000)
    await harness.reconcile(added.id)
    const seen = (server: string, kind: string) => ({ server, kind, side: 'ours', type: 'SOA' })
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'BINDING',
      zone: {
        serial: 7,
        records: [
          { type: 'SOA', name: domain, values: ['ns1.dns.test'] },
          { type: 'NS', name: domain, values: ['ns1.dns.test', 'ns2.dns.test'] },
          { type: 'A', name: domain, values: ['192.0.2.1'] },
        ],
      },
      look: {
        passed: false,
        verdicts: [{ ...seen('ns1.dns.test', 'match'), after: 4 }, seen('ns2.dns.test', 'missing')],
      },
    })
    // One that does not answer at all stops nobody; the one that does has the zone.
    harness.dns.dead.add('ns2.dns.test')
    harness.clock.advance(10_000)
    await harness.reconcile(added.id)
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'BIND',
      zone: null,
      rule_data: 'reef.example',
      actions: ['check', 'method', 'setRule', 'delete'],
    })
    harness.dns.silent.clear()
    harness.dns.dead.clear()
    expect(harness.dns.zones.get(domain)).toEqual([{ name: domain, type: 'A', value: '192.0.2.1' }])
    expect(await steps.recorded(added.id)).toEqual(
      ['add', 'prove', 'delegate', 'setRule', 'serve'].map((verb) => `domain.${verb}`),
    )
    const changes = harness.db.selectFrom('changes').select('topic').where('account', '=', caller.userid)
    expect((await changes.execute()).map(({ topic }) => topic)).toContain('domain')
  })

  test('that points here by CNAME has no zone and is served at once', async () => {
    const caller = await harness.createCaller()
    const { id, domain } = await steps.proven(caller, steps.newName(), 'cname')
    expect(await steps.shown(caller, domain)).toMatchObject({
      status: 'WAIT_NS',
      records: [{ type: 'CNAME', name: `*.${domain}`, values: ['edge.test'] }],
    })
    harness.dns.records.add(`CNAME *.${domain}`)
    await checkDomain(harness.deps, caller, domain)
    await harness.reconcile(id)
    expect((await steps.shown(caller, domain)).status).toBe('WAIT_REQUEST_VC')
    expect(harness.dns.zones.has(domain)).toBe(false)
  })

  test('added again is the same claim, by two requests at once too', async () => {
    const caller = await harness.createCaller()
    const domain = steps.newName()
    const both = await Promise.all([1, 2, 3].map(() => addDomain(harness.deps, caller, { domain })))
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await steps.recorded(both[0]?.id ?? 0)).toEqual(['domain.add'])
  })

  test('of somebody else is none', async () => {
    const [owner, other] = [await harness.createCaller(), await harness.createCaller()]
    const { domain } = await steps.proven(owner)
    const refused = { key: 'notFound' }
    await expect(checkDomain(harness.deps, other, domain)).rejects.toMatchObject(refused)
    await expect(restartDomain(harness.deps, other, domain)).rejects.toMatchObject(refused)
    await expect(removeDomain(harness.deps, other, { domain })).rejects.toMatchObject(refused)
    await expect(changeMethod(harness.deps, other, { domain, method: 'cname' })).rejects.toMatchObject(refused)
  })
})

describe('who may add one', () => {
  test('an account has three that are unfinished, under requests at once too', async () => {
    const caller = await harness.createCaller()
    const adds = await Promise.allSettled(
      Array.from({ length: 6 }, () => addDomain(harness.deps, caller, { domain: steps.newName() })),
    )
    expect(adds.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const add of adds) if (add.status === 'rejected') expect(add.reason).toMatchObject({ key: 'domainTooMany' })
    const [first] = await listDomains(harness.db, caller.userid)
    await removeDomain(harness.deps, caller, { domain: first?.name ?? '' })
    expect(await addDomain(harness.deps, caller, { domain: steps.newName() })).toMatchObject({ status: 'WAIT_TXT' })
  })

  test('not who has a name', async () => {
    const caller = await harness.createCaller()
    const at = harness.clock.now()
    const name = { name: 'named@atoll.test', did: caller.did, bound_at: at }
    await harness.db.insertInto('names').values(name).execute()
    await expect(addDomain(harness.deps, caller, { domain: steps.newName() })).rejects.toThrow(
      'The current DID cannot be linked to a new domain',
    )
  })

  test('an apex that is delegated is typed once more', async () => {
    const caller = await harness.createCaller()
    const domain = steps.newName().slice('cloud.'.length)
    expect(await addDomain(harness.deps, caller, { domain })).toMatchObject({ method: 'cname', isApex: true })
    await expect(changeMethod(harness.deps, caller, { domain, method: 'ns' })).rejects.toMatchObject({
      key: 'domainNotNow',
    })
    await removeDomain(harness.deps, caller, { domain })
    const order = { domain, method: 'ns' } as const
    await expect(addDomain(harness.deps, caller, order)).rejects.toMatchObject({
      key: 'domainConfirm',
      field: 'confirm',
    })
    expect(await addDomain(harness.deps, caller, { ...order, confirm: domain.toUpperCase() })).toMatchObject({
      method: 'ns',
    })
  })

  test('a part of a proven domain, or what contains one, is refused', async () => {
    const [owner, other] = [await harness.createCaller(), await harness.createCaller()]
    const { domain } = await steps.proven(owner)
    await expect(addDomain(harness.deps, other, { domain: `a.b.${domain}` })).rejects.toMatchObject({
      key: 'domainParentProven',
      params: { other: domain },
    })
    const parent = domain.slice(domain.indexOf('.') + 1)
    await expect(addDomain(harness.deps, other, { domain: parent })).rejects.toMatchObject({ key: 'domainChildProven' })
    expect(await addDomain(harness.deps, other, { domain: `beside.${parent}` })).toMatchObject({ status: 'WAIT_TXT' })
    expect(await addDomain(harness.deps, other, { domain: `x${domain}` })).toMatchObject({ status: 'WAIT_TXT' })
  })
})

describe('a rule', () => {
  test('is taken at its step and after, not before', async () => {
    const caller = await harness.createCaller()
    const early = await steps.delegated(caller)
    const rule = { ruleType: 'specified_email_address', ruleData: '' } as const
    await expect(setRule(harness.deps, caller, { domain: early.domain, ...rule })).rejects.toMatchObject({
      key: 'domainNotNow',
    })
    const { domain } = await steps.linked(caller)
    await setRule(harness.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'a.example,b.example' })
    expect(await getRule(harness.deps, domain)).toEqual({
      ruleType: 'fixed_email_suffix',
      ruleData: 'a.example,b.example',
    })
    await expect(
      setRule(harness.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'com' }),
    ).rejects.toMatchObject({ key: 'suffixPublic', field: 'ruleData' })
    const asked = { domain, ruleType: 'fixed_email_suffix', ruleData: 'a.example, @GMail.com' } as const
    await expect(setRule(harness.deps, caller, asked)).rejects.toMatchObject({ key: 'suffixPublic' })
    expect(await steps.shown(caller, domain)).toMatchObject({
      rule_data: 'a.example,b.example',
      ruleRefused: 'GMail.com',
      ruleProviders: [],
    })
    await setRule(harness.deps, caller, { ...asked, ruleData: 'a.example,b.example' })
    expect(await steps.shown(caller, domain)).toMatchObject({ ruleRefused: null })
    // One that was set before stays, with a warning.
    await harness.db
      .updateTable('domains')
      .set({ rule_data: 'a.example,gmail.com' })
      .where('name', '=', domain)
      .execute()
    expect(await steps.shown(caller, domain)).toMatchObject({ ruleProviders: ['gmail.com'] })
    await expect(getRule(harness.deps, steps.newName())).rejects.toMatchObject({ key: 'notFound' })
  })
})

test('without name servers a domain points here by CNAME alone', async () => {
  await using plain = await createDomainHarness([])
  const caller = await plain.createCaller()
  const domain = steps.newName()
  await expect(addDomain(plain.deps, caller, { domain, method: 'ns' })).rejects.toMatchObject({
    key: 'domainNoNameServers',
  })
  const added = await addDomain(plain.deps, caller, { domain })
  expect(added).toMatchObject({ method: 'cname' })
  expect(added).not.toHaveProperty('ns')
  const row = await findOwnDomain(plain.db, caller.userid, domain)
  expect(row && (await domainJson(plain.deps, plain.db, row))).toEqual(added)
})
