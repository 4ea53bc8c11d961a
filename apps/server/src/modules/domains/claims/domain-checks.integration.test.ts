/** Checks of a domain: who proves it first, how often it is checked, and the ways back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { type DomainSteps, stepsIn } from '../testing/domain-steps.ts'
import { addDomain, changeMethod, checkDomain, removeDomain, restartDomain } from './domain-service.ts'

const day = 24 * 60 * 60_000
let harness: DomainHarness
let steps: DomainSteps
beforeAll(async () => {
  harness = await createDomainHarness()
  steps = stepsIn(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

describe('the first proof', () => {
  test('of ten that wait takes the name, and the others read why', async () => {
    const callers = await Promise.all(Array.from({ length: 10 }, () => harness.createCaller()))
    const domain = steps.newName()
    const claims = await Promise.all(callers.map((caller) => addDomain(harness.deps, caller, { domain })))
    for (const claim of claims) harness.dns.records.add(steps.provable(claim))
    await Promise.all(claims.map(({ id }) => harness.reconcile(id)))
    const after = await Promise.all(callers.map((caller) => steps.shown(caller, domain)))
    expect(after.filter(({ status }) => status === 'WAIT_NS')).toHaveLength(1)
    const losers = after.filter(({ status }) => status === 'WAIT_TXT')
    expect(losers.map(({ problem }) => problem?.key)).toEqual(Array(9).fill('provenByOther'))
    const winner = callers[after.findIndex(({ status }) => status === 'WAIT_NS')]
    if (!winner) throw new Error('nobody won')
    // Without waiting for the next check.
    await removeDomain(harness.deps, winner, { domain })
    await Promise.all(claims.map(({ id }) => harness.reconcile(id)))
    const then = await Promise.all(callers.filter((one) => one !== winner).map((caller) => steps.shown(caller, domain)))
    expect(then.filter(({ status }) => status === 'WAIT_NS')).toHaveLength(1)
  })

  test('excludes what contains the name, proven in the same instant', async () => {
    const [one, two] = [await harness.createCaller(), await harness.createCaller()]
    const domain = steps.newName()
    const claims = [
      await addDomain(harness.deps, one, { domain }),
      await addDomain(harness.deps, two, { domain: `a.${domain}` }),
    ]
    for (const claim of claims) harness.dns.records.add(steps.provable(claim))
    await Promise.all(claims.map(({ id }) => harness.reconcile(id)))
    const after = [await steps.shown(one, domain), await steps.shown(two, `a.${domain}`)]
    expect(after.map(({ status }) => status).toSorted()).toEqual(['WAIT_NS', 'WAIT_TXT'])
    const loser = after.find(({ status }) => status === 'WAIT_TXT')
    expect(['parentProven', 'childProven']).toContain(loser?.problem?.key)
  })
})

describe('checks', () => {
  test('find right records within 15 s in the first ten minutes, and at once after Check now', async () => {
    const caller = await harness.createCaller()
    const added = await addDomain(harness.deps, caller, { domain: steps.newName() })
    const { id, domain } = added
    const begun = harness.clock.now().getTime()
    /** ms from one check to the next. */
    async function check(): Promise<number> {
      await harness.reconcile(id)
      return Date.parse((await steps.shown(caller, domain)).look.nextAt ?? '') - harness.clock.now().getTime()
    }
    while (harness.clock.now().getTime() - begun < 10 * 60_000) {
      const gap = await check()
      // Whenever they become right, the next check is no further off.
      expect(gap).toBeLessThanOrEqual(15_000)
      harness.clock.advance(gap)
    }
    harness.dns.records.add(steps.provable(added))
    await harness.reconcile(id)
    expect((await steps.shown(caller, domain)).status).toBe('WAIT_NS')
    // Looks are rare by then.
    harness.clock.advance(2 * 60 * 60_000)
    expect(await check()).toBe(600_000)
    harness.dns.records.add(`NS ${domain}`)
    await harness.reconcile(id)
    expect((await steps.shown(caller, domain)).status).toBe('WAIT_NS')
    const { lookups } = harness.dns
    await checkDomain(harness.deps, caller, domain)
    await harness.reconcile(id)
    expect([(await steps.shown(caller, domain)).status, harness.dns.lookups]).toEqual(['WAIT_REQUEST_VC', lookups + 1])
  })

  test('come ever rarer, pause after 7 days, and begin again when asked for', async () => {
    const caller = await harness.createCaller()
    const { id, domain } = await addDomain(harness.deps, caller, { domain: steps.newName() })
    const gaps: number[] = []
    while (gaps.at(-1) !== 600_000) {
      await harness.reconcile(id)
      const { look } = await steps.shown(caller, domain)
      gaps.push(Date.parse(look.nextAt ?? '') - harness.clock.now().getTime())
      harness.clock.advance(gaps.at(-1) ?? 0)
    }
    expect(gaps[0]).toBe(10_000)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
    harness.clock.advance(7 * day)
    await harness.reconcile(id)
    expect(await steps.shown(caller, domain)).toMatchObject({
      problem: { key: 'checksPaused' },
      look: { nextAt: null },
    })
    expect(await checkDomain(harness.deps, caller, domain)).toMatchObject({ problem: null })
    await expect(checkDomain(harness.deps, caller, domain)).rejects.toMatchObject({
      key: 'tooManyRequests',
      params: { seconds: 5 },
    })
    harness.clock.advance(5000)
    await checkDomain(harness.deps, caller, domain)
    const { lookups } = harness.dns
    await harness.sweep(true)
    await harness.reconcile(id)
    expect(harness.dns.lookups).toBe(lookups + 1)
  })

  test('run ten at a time look up once', async () => {
    const caller = await harness.createCaller()
    const { id, domain } = await addDomain(harness.deps, caller, { domain: steps.newName() })
    const { lookups } = harness.dns
    await Promise.all(Array.from({ length: 10 }, () => harness.reconcile(id)))
    expect(harness.dns.lookups).toBe(lookups + 1)
    expect((await steps.shown(caller, domain)).look.checkedAt).not.toBeNull()
  })

  test('show a proof whose record was not seen for 7 days as lapsed', async () => {
    const caller = await harness.createCaller()
    const { id, domain, txt } = await steps.proven(caller)
    harness.dns.records.delete(`TXT ${txt?.value}`)
    for (const days of [1, 7]) {
      harness.clock.advance(days * day)
      await harness.reconcile(id)
    }
    const lapsed = await steps.shown(caller, domain)
    expect(lapsed).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'proofLapsed' } })
    expect(lapsed.txt?.value).not.toBe(txt?.value)
    expect(harness.dns.zones.has(domain)).toBe(false)
  })

  test('see a delegation that is lost, and that it is back', async () => {
    const caller = await harness.createCaller()
    const { id, domain } = await steps.linked(caller)
    harness.dns.records.delete(`NS ${domain}`)
    harness.clock.advance(day)
    await harness.reconcile(id)
    expect(await steps.shown(caller, domain)).toMatchObject({ status: 'BIND', problem: { key: 'delegationLost' } })
    harness.dns.records.add(`NS ${domain}`)
    harness.clock.advance(60 * 60_000)
    await harness.reconcile(id)
    expect(await steps.shown(caller, domain)).toMatchObject({ status: 'BIND', problem: null })
    expect((await steps.recorded(id)).slice(-2)).toEqual(['domain.lose', 'domain.regain'])
  })
})

describe('the ways back', () => {
  test('start over with another record and no zone', async () => {
    const caller = await harness.createCaller()
    for (const prepare of [steps.proven, steps.delegated, steps.presented]) {
      const before = await prepare(caller)
      expect(before.actions).toContain('restart')
      const after = await restartDomain(harness.deps, caller, before.domain)
      expect(after).toMatchObject({ status: 'WAIT_TXT', id: before.id })
      expect(after.txt?.value).not.toBe(before.txt?.value)
      expect(harness.dns.zones.has(before.domain)).toBe(false)
      await removeDomain(harness.deps, caller, { domain: before.domain })
    }
  })

  test('keep the proof of a delegated apex, which has no other place for it', async () => {
    const caller = await harness.createCaller()
    const domain = steps.newName().slice('cloud.'.length)
    const added = await addDomain(harness.deps, caller, { domain, method: 'ns', confirm: domain })
    harness.dns.records.add(steps.provable(added)).add(`NS ${domain}`)
    await harness.reconcile(added.id)
    const after = await restartDomain(harness.deps, caller, domain)
    expect(after).toMatchObject({ status: 'WAIT_NS', txt: added.txt })
    expect(harness.dns.zones.has(domain)).toBe(true)
  })

  test('change the way in which it points here, and back', async () => {
    const caller = await harness.createCaller()
    const { domain } = await steps.proven(caller)
    const toCname = await changeMethod(harness.deps, caller, { domain, method: 'cname' })
    expect([toCname.status, harness.dns.zones.has(domain)]).toEqual(['WAIT_NS', false])
    await changeMethod(harness.deps, caller, { domain, method: 'ns' })
    await changeMethod(harness.deps, caller, { domain, method: 'ns' })
    expect(harness.dns.zones.get(domain)).toEqual([])
  })

  test('let a linked domain move while it is answered as before', async () => {
    const caller = await harness.createCaller()
    const { id, domain } = await steps.linked(caller)
    const moved = await changeMethod(harness.deps, caller, { domain, method: 'cname' })
    expect(moved).toMatchObject({ status: 'BIND', problem: { key: 'methodWaits' } })
    expect(harness.dns.zones.has(domain)).toBe(true)
    harness.dns.records.add(`CNAME *.${domain}`)
    await harness.reconcile(id)
    expect(await steps.shown(caller, domain)).toMatchObject({ status: 'BIND', problem: null })
  })

  test('remove it from every step and leave nothing, and it can be added again at once', async () => {
    const caller = await harness.createCaller()
    for (const prepare of [steps.proven, steps.delegated, steps.presented, steps.linked]) {
      const { domain, status, id } = await prepare(caller)
      if (status === 'BIND')
        await expect(removeDomain(harness.deps, caller, { domain })).rejects.toMatchObject({ key: 'domainConfirm' })
      await removeDomain(harness.deps, caller, { domain, confirm: domain })
      expect(harness.dns.zones.has(domain)).toBe(false)
      await expect(removeDomain(harness.deps, caller, { domain })).rejects.toMatchObject({ key: 'notFound' })
      await harness.reconcile(id)
      const again = await addDomain(harness.deps, caller, { domain })
      expect(again).toMatchObject({ status: 'WAIT_TXT' })
      expect(again.id).not.toBe(id)
      await removeDomain(harness.deps, caller, { domain })
    }
  })
})
