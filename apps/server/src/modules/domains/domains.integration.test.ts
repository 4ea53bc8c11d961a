import type { Domain } from '@atoll/contract/domains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import {
  addDomain,
  changeMethod,
  checkDomain,
  getRule,
  removeDomain,
  restartDomain,
  setRule,
} from './domain-service.ts'
import { findOwnDomain, listDomains } from './store/domain-store.ts'
import { createDomainWorld, type DomainWorld } from './testing/domain-world.ts'
import { domainDetailJson, domainJson } from './views/domain-json.ts'

let world: DomainWorld
beforeAll(async () => {
  world = await createDomainWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const day = 24 * 60 * 60_000
let serial = 0
function newName(): string {
  serial += 1
  return `cloud.lagoon${serial}.example`
}
const shown = async (caller: Caller, name: string) => {
  const row = await findOwnDomain(world.db, caller.userid, name)
  if (!row) throw new Error(`${name} is not there`)
  return await domainDetailJson(world.deps, row)
}
const provable = (domain: Domain) => `TXT ${domain.txt?.value}`

/** A claim whose TXT record is there, looked at. */
async function proven(caller: Caller, domain = newName(), method: 'ns' | 'cname' = 'ns'): Promise<Domain> {
  const added = await addDomain(world.deps, caller, { domain, method })
  world.dns.records.add(provable(added))
  await world.reconcile(added.id)
  return await shown(caller, added.domain)
}
/** A claim that points here too. */
async function delegated(caller: Caller, domain = newName()): Promise<Domain> {
  const { id, domain: name } = await proven(caller, domain)
  world.dns.records.add(`NS ${name}`)
  await checkDomain(world.deps, caller, name)
  await world.reconcile(id)
  return await shown(caller, name)
}
/** A claim for which the wallet has done its part. */
async function presented(caller: Caller): Promise<Domain> {
  const { id, domain } = await delegated(caller)
  await world.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', id).execute()
  return await shown(caller, domain)
}
async function linked(caller: Caller): Promise<Domain> {
  const { id, domain } = await presented(caller)
  await setRule(world.deps, caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
  await world.reconcile(id)
  return await shown(caller, domain)
}
async function recorded(number: number): Promise<string[]> {
  const of = (table: 'audit_records' | 'audit_drafts') =>
    world.db
      .selectFrom(table)
      .select('action')
      .where('object_id', '=', String(number))
      .where('object_kind', '=', 'domain')
  const rows = [
    ...(await of('audit_records').orderBy('seq').execute()),
    ...(await of('audit_drafts').orderBy('id').execute()),
  ]
  return rows.map(({ action }) => action)
}

describe('a domain', () => {
  test('goes from the wish to the name that is served, each step recorded and told', async () => {
    const caller = await world.createCaller()
    const domain = newName()
    const added = await addDomain(world.deps, caller, { domain: ` ${domain.toUpperCase()}. ` })
    expect(added).toMatchObject({
      domain,
      status: 'WAIT_TXT',
      method: 'ns',
      problem: null,
      actions: ['check', 'delete'],
    })
    await world.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({
      status: 'WAIT_TXT',
      records: [{ type: 'TXT', name: added.txt?.name, values: [added.txt?.value] }],
      look: { passed: false, verdicts: [{ kind: 'missing' }], nextAt: expect.any(String) },
    })
    world.dns.records.add(provable(added))
    world.clock.advance(10_000)
    await world.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({
      status: 'WAIT_NS',
      ns: '[ns1.dns.test,ns2.dns.test]',
      records: [{ type: 'NS', name: domain, values: ['ns1.dns.test', 'ns2.dns.test'] }],
    })
    expect(world.dns.zones.get(domain)).toEqual([])
    world.dns.records.add(`NS ${domain}`)
    world.clock.advance(10_000)
    await world.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC', actions: ['restart', 'delete'] })
    await world.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', added.id).execute()
    await setRule(world.deps, caller, {
      domain,
      ruleType: 'fixed_email_suffix',
      ruleData: ' @Reef.example, reef.example',
    })
    expect(await getRule(world.deps, domain)).toEqual({ ruleType: 'fixed_email_suffix', ruleData: 'reef.example' })
    await world.reconcile(added.id)
    expect(await shown(caller, domain)).toMatchObject({
      status: 'BIND',
      rule_data: 'reef.example',
      actions: ['check', 'method', 'setRule', 'delete'],
    })
    expect(world.dns.zones.get(domain)).toEqual([{ name: domain, type: 'A', value: '192.0.2.1' }])
    expect(await recorded(added.id)).toEqual(
      ['add', 'prove', 'delegate', 'setRule', 'serve'].map((verb) => `domain.${verb}`),
    )
    const changes = world.db.selectFrom('changes').select('topic').where('account', '=', caller.userid)
    expect((await changes.execute()).map(({ topic }) => topic)).toContain('domain')
  })

  test('that points here by CNAME has no zone and is served at once', async () => {
    const caller = await world.createCaller()
    const { id, domain } = await proven(caller, newName(), 'cname')
    expect(await shown(caller, domain)).toMatchObject({
      status: 'WAIT_NS',
      records: [{ type: 'CNAME', name: `*.${domain}`, values: ['edge.test'] }],
    })
    world.dns.records.add(`CNAME *.${domain}`)
    await checkDomain(world.deps, caller, domain)
    await world.reconcile(id)
    expect((await shown(caller, domain)).status).toBe('WAIT_REQUEST_VC')
    expect(world.dns.zones.has(domain)).toBe(false)
  })

  test('added again is the same claim, by two requests at once too', async () => {
    const caller = await world.createCaller()
    const domain = newName()
    const both = await Promise.all([1, 2, 3].map(() => addDomain(world.deps, caller, { domain })))
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await recorded(both[0]?.id ?? 0)).toEqual(['domain.add'])
  })

  test('of somebody else is none', async () => {
    const [owner, other] = [await world.createCaller(), await world.createCaller()]
    const { domain } = await proven(owner)
    const refused = { key: 'notFound' }
    await expect(checkDomain(world.deps, other, domain)).rejects.toMatchObject(refused)
    await expect(restartDomain(world.deps, other, domain)).rejects.toMatchObject(refused)
    await expect(removeDomain(world.deps, other, { domain })).rejects.toMatchObject(refused)
    await expect(changeMethod(world.deps, other, { domain, method: 'cname' })).rejects.toMatchObject(refused)
  })
})

describe('who may add one', () => {
  test('an account has three that are unfinished, under requests at once too', async () => {
    const caller = await world.createCaller()
    const adds = await Promise.allSettled(
      Array.from({ length: 6 }, () => addDomain(world.deps, caller, { domain: newName() })),
    )
    expect(adds.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const add of adds) if (add.status === 'rejected') expect(add.reason).toMatchObject({ key: 'domainTooMany' })
    const [first] = await listDomains(world.db, caller.userid)
    await removeDomain(world.deps, caller, { domain: first?.name ?? '' })
    expect(await addDomain(world.deps, caller, { domain: newName() })).toMatchObject({ status: 'WAIT_TXT' })
  })

  test('not who has a name', async () => {
    const caller = await world.createCaller()
    const at = world.clock.now()
    const name = { name: 'named@atoll.test', did: caller.userid, bound_at: at }
    await world.db.insertInto('names').values(name).execute()
    await expect(addDomain(world.deps, caller, { domain: newName() })).rejects.toThrow(
      'The current DID cannot be linked to a new domain',
    )
  })

  test('an apex that is delegated is typed once more', async () => {
    const caller = await world.createCaller()
    const domain = newName().slice('cloud.'.length)
    expect(await addDomain(world.deps, caller, { domain })).toMatchObject({ method: 'cname', isApex: true })
    await expect(changeMethod(world.deps, caller, { domain, method: 'ns' })).rejects.toMatchObject({
      key: 'domainNotNow',
    })
    await removeDomain(world.deps, caller, { domain })
    const order = { domain, method: 'ns' } as const
    await expect(addDomain(world.deps, caller, order)).rejects.toMatchObject({ key: 'domainConfirm', field: 'confirm' })
    expect(await addDomain(world.deps, caller, { ...order, confirm: domain.toUpperCase() })).toMatchObject({
      method: 'ns',
    })
  })

  test('a part of a proven domain, or what contains one, is refused', async () => {
    const [owner, other] = [await world.createCaller(), await world.createCaller()]
    const { domain } = await proven(owner)
    await expect(addDomain(world.deps, other, { domain: `a.b.${domain}` })).rejects.toMatchObject({
      key: 'domainParentProven',
      params: { other: domain },
    })
    const parent = domain.slice(domain.indexOf('.') + 1)
    await expect(addDomain(world.deps, other, { domain: parent })).rejects.toMatchObject({ key: 'domainChildProven' })
    expect(await addDomain(world.deps, other, { domain: `beside.${parent}` })).toMatchObject({ status: 'WAIT_TXT' })
    expect(await addDomain(world.deps, other, { domain: `x${domain}` })).toMatchObject({ status: 'WAIT_TXT' })
  })
})

describe('the first proof', () => {
  test('of ten that wait takes the name, and the others read why', async () => {
    const callers = await Promise.all(Array.from({ length: 10 }, () => world.createCaller()))
    const domain = newName()
    const claims = await Promise.all(callers.map((caller) => addDomain(world.deps, caller, { domain })))
    for (const claim of claims) world.dns.records.add(provable(claim))
    await Promise.all(claims.map(({ id }) => world.reconcile(id)))
    const after = await Promise.all(callers.map((caller) => shown(caller, domain)))
    expect(after.filter(({ status }) => status === 'WAIT_NS')).toHaveLength(1)
    const losers = after.filter(({ status }) => status === 'WAIT_TXT')
    expect(losers.map(({ problem }) => problem?.key)).toEqual(Array(9).fill('provenByOther'))
    const winner = callers[after.findIndex(({ status }) => status === 'WAIT_NS')]
    if (!winner) throw new Error('nobody won')
    // Without waiting for the next check.
    await removeDomain(world.deps, winner, { domain })
    await Promise.all(claims.map(({ id }) => world.reconcile(id)))
    const then = await Promise.all(callers.filter((one) => one !== winner).map((caller) => shown(caller, domain)))
    expect(then.filter(({ status }) => status === 'WAIT_NS')).toHaveLength(1)
  })

  test('excludes what contains the name, proven in the same instant', async () => {
    const [one, two] = [await world.createCaller(), await world.createCaller()]
    const domain = newName()
    const claims = [
      await addDomain(world.deps, one, { domain }),
      await addDomain(world.deps, two, { domain: `a.${domain}` }),
    ]
    for (const claim of claims) world.dns.records.add(provable(claim))
    await Promise.all(claims.map(({ id }) => world.reconcile(id)))
    const after = [await shown(one, domain), await shown(two, `a.${domain}`)]
    expect(after.map(({ status }) => status).toSorted()).toEqual(['WAIT_NS', 'WAIT_TXT'])
    const loser = after.find(({ status }) => status === 'WAIT_TXT')
    expect(['parentProven', 'childProven']).toContain(loser?.problem?.key)
  })
})

describe('checks', () => {
  test('come ever rarer, pause after 7 days, and begin anew when asked for', async () => {
    const caller = await world.createCaller()
    const { id, domain } = await addDomain(world.deps, caller, { domain: newName() })
    const gaps: number[] = []
    while (gaps.at(-1) !== 600_000) {
      await world.reconcile(id)
      const { look } = await shown(caller, domain)
      gaps.push(Date.parse(look.nextAt ?? '') - world.clock.now().getTime())
      world.clock.advance(gaps.at(-1) ?? 0)
    }
    expect(gaps[0]).toBe(10_000)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    world.clock.advance(7 * day)
    await world.reconcile(id)
    expect(await shown(caller, domain)).toMatchObject({ problem: { key: 'checksPaused' }, look: { nextAt: null } })
    expect(await checkDomain(world.deps, caller, domain)).toMatchObject({ problem: null })
    await expect(checkDomain(world.deps, caller, domain)).rejects.toMatchObject({
      key: 'tooManyRequests',
      params: { seconds: 5 },
    })
    world.clock.advance(5000)
    await checkDomain(world.deps, caller, domain)
    const { looks } = world.dns
    await world.sweep(true)
    await world.reconcile(id)
    expect(world.dns.looks).toBe(looks + 1)
  })

  test('run ten at a time look once', async () => {
    const caller = await world.createCaller()
    const { id, domain } = await addDomain(world.deps, caller, { domain: newName() })
    const { looks } = world.dns
    await Promise.all(Array.from({ length: 10 }, () => world.reconcile(id)))
    expect(world.dns.looks).toBe(looks + 1)
    expect((await shown(caller, domain)).look.checkedAt).not.toBeNull()
  })

  test('show a proof that was not followed by a delegation for 30 days as lapsed', async () => {
    const caller = await world.createCaller()
    const { id, domain, txt } = await proven(caller)
    world.clock.advance(30 * day)
    await world.reconcile(id)
    const lapsed = await shown(caller, domain)
    expect(lapsed).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'proofLapsed' } })
    expect(lapsed.txt?.value).not.toBe(txt?.value)
    expect(world.dns.zones.has(domain)).toBe(false)
  })

  test('see a delegation that is lost, and that it is back', async () => {
    const caller = await world.createCaller()
    const { id, domain } = await linked(caller)
    world.dns.records.delete(`NS ${domain}`)
    world.clock.advance(day)
    await world.reconcile(id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'BIND', problem: { key: 'delegationLost' } })
    world.dns.records.add(`NS ${domain}`)
    world.clock.advance(60 * 60_000)
    await world.reconcile(id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'BIND', problem: null })
    expect((await recorded(id)).slice(-2)).toEqual(['domain.lose', 'domain.regain'])
  })
})

describe('the ways back', () => {
  test('start over with another record and no zone', async () => {
    const caller = await world.createCaller()
    for (const prepare of [proven, delegated, presented]) {
      const before = await prepare(caller)
      expect(before.actions).toContain('restart')
      const after = await restartDomain(world.deps, caller, before.domain)
      expect(after).toMatchObject({ status: 'WAIT_TXT', id: before.id })
      expect(after.txt?.value).not.toBe(before.txt?.value)
      expect(world.dns.zones.has(before.domain)).toBe(false)
      await removeDomain(world.deps, caller, { domain: before.domain })
    }
  })

  test('keep the proof of a delegated apex, which has no other place for it', async () => {
    const caller = await world.createCaller()
    const domain = newName().slice('cloud.'.length)
    const added = await addDomain(world.deps, caller, { domain, method: 'ns', confirm: domain })
    world.dns.records.add(provable(added)).add(`NS ${domain}`)
    await world.reconcile(added.id)
    const after = await restartDomain(world.deps, caller, domain)
    expect(after).toMatchObject({ status: 'WAIT_NS', txt: added.txt })
    expect(world.dns.zones.has(domain)).toBe(true)
  })

  test('change the way in which it points here, and back', async () => {
    const caller = await world.createCaller()
    const { domain } = await proven(caller)
    const toCname = await changeMethod(world.deps, caller, { domain, method: 'cname' })
    expect([toCname.status, world.dns.zones.has(domain)]).toEqual(['WAIT_NS', false])
    await changeMethod(world.deps, caller, { domain, method: 'ns' })
    await changeMethod(world.deps, caller, { domain, method: 'ns' })
    expect(world.dns.zones.get(domain)).toEqual([])
  })

  test('let a linked domain move while it is answered as before', async () => {
    const caller = await world.createCaller()
    const { id, domain } = await linked(caller)
    const moved = await changeMethod(world.deps, caller, { domain, method: 'cname' })
    expect(moved).toMatchObject({ status: 'BIND', problem: { key: 'methodWaits' } })
    expect(world.dns.zones.has(domain)).toBe(true)
    world.dns.records.add(`CNAME *.${domain}`)
    await world.reconcile(id)
    expect(await shown(caller, domain)).toMatchObject({ status: 'BIND', problem: null })
  })

  test('remove it from every step and leave nothing, and it can be added again at once', async () => {
    const caller = await world.createCaller()
    for (const prepare of [proven, delegated, presented, linked]) {
      const { domain, status, id } = await prepare(caller)
      if (status === 'BIND')
        await expect(removeDomain(world.deps, caller, { domain })).rejects.toMatchObject({ key: 'domainConfirm' })
      await removeDomain(world.deps, caller, { domain, confirm: domain })
      expect(world.dns.zones.has(domain)).toBe(false)
      await expect(removeDomain(world.deps, caller, { domain })).rejects.toMatchObject({ key: 'notFound' })
      await world.reconcile(id)
      const again = await addDomain(world.deps, caller, { domain })
      expect(again).toMatchObject({ status: 'WAIT_TXT' })
      expect(again.id).not.toBe(id)
      await removeDomain(world.deps, caller, { domain })
    }
  })
})

describe('a rule', () => {
  test('is taken at its step and after, not before', async () => {
    const caller = await world.createCaller()
    const early = await delegated(caller)
    const rule = { ruleType: 'specified_email_address', ruleData: '' } as const
    await expect(setRule(world.deps, caller, { domain: early.domain, ...rule })).rejects.toMatchObject({
      key: 'domainNotNow',
    })
    const { domain } = await linked(caller)
    await setRule(world.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'a.example,b.example' })
    expect(await getRule(world.deps, domain)).toEqual({
      ruleType: 'fixed_email_suffix',
      ruleData: 'a.example,b.example',
    })
    await expect(
      setRule(world.deps, caller, { domain, ruleType: 'fixed_email_suffix', ruleData: 'com' }),
    ).rejects.toMatchObject({ key: 'suffixPublic', field: 'ruleData' })
    await expect(getRule(world.deps, newName())).rejects.toMatchObject({ key: 'notFound' })
  })
})

test('without name servers a domain points here by CNAME alone', async () => {
  await using plain = await createDomainWorld([])
  const caller = await plain.createCaller()
  const domain = newName()
  await expect(addDomain(plain.deps, caller, { domain, method: 'ns' })).rejects.toMatchObject({
    key: 'domainNoNameServers',
  })
  const added = await addDomain(plain.deps, caller, { domain })
  expect(added).toMatchObject({ method: 'cname' })
  expect(added).not.toHaveProperty('ns')
  const row = await findOwnDomain(plain.db, caller.userid, domain)
  expect(row && (await domainJson(plain.deps, plain.db, row))).toEqual(added)
})
