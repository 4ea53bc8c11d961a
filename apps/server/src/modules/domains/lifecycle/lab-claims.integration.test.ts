/** Whose domain it is, in the world's DNS in small: records at servers of others say so, and nothing else does. */
import { type DnsLab, startDnsLab, whyNoDnsLab } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { silentLog } from '../../../platform/log.ts'
import { createLookup } from '../../dns/lookups/lookup.ts'
import { compileZone } from '../../dns/serving/compile-zone.ts'
import { createDnsServer, type DnsServer } from '../../dns/serving/dns-server.ts'
import { createQueryCounts } from '../../dns/serving/query-counts.ts'
import { createZoneTable } from '../../dns/serving/zone-table.ts'
import { domainDetailJson } from '../claims/domain-json.ts'
import { addDomain, checkDomain, removeDomain, setRule } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'

const missing = whyNoDnsLab()
const parent = 'lagoon.example'
const nameServers = ['ns1.host.example', 'ns2.host.example']
const hourMs = 3_600_000

describe.skipIf(missing !== undefined)(`in a laboratory${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let lab: DnsLab
  let harness: DomainHarness
  const servers: DnsServer[] = []
  /** The records at the parent's servers. */
  const records = new Set<string>()

  beforeAll(async () => {
    lab = await startDnsLab(['example', parent, 'host.example'])
    harness = await createDomainHarness(nameServers)
    harness.deps.dns.lookUp = createLookup({ resolvers: lab.resolvers })
    // Our servers answer for whatever was delegated here once.
    const domains = ['answered', 'silent', 'dangling', 'upper'].map((label) => `${label}.${parent}`)
    const zones = createZoneTable(domains.map((domain) => compileZone({ domain, nameServers, serial: 7, records: [] })))
    for (const last of [101, 102]) {
      const server = createDnsServer({ zones, counts: createQueryCounts(), log: silentLog, rate: 0 })
      await server.listen(lab.address(last), 53)
      servers.push(server)
    }
    await lab.setZone('host.example', [`ns1 A ${lab.address(101)}`, `ns2 A ${lab.address(102)}`])
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    await harness?.[Symbol.asyncDispose]()
    await lab?.[Symbol.asyncDispose]()
  })

  async function publish(change: { add?: string[]; drop?: string[] }): Promise<void> {
    for (const line of change.drop ?? []) records.delete(line)
    for (const line of change.add ?? []) records.add(line)
    await lab.setZone(parent, [...records])
  }
  const delegation = (domain: string) => nameServers.map((host) => `${domain}. NS ${host}.`)

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
    return await shown(caller, domain)
  }
  /** Somebody's claim, and the record that proves it. */
  async function claim(typed: string) {
    const caller = await harness.createCaller()
    const { id, txt, domain } = await addDomain(harness.deps, caller, { domain: typed, method: 'ns' })
    return { caller, id, domain, proof: `${txt?.name}. TXT "${txt?.value}"` }
  }
  type Claim = Awaited<ReturnType<typeof claim>>
  async function link(typed: string): Promise<Claim> {
    const owner = await claim(typed)
    const { domain } = owner
    await publish({ add: [owner.proof, ...delegation(domain)] })
    expect(await check(owner.caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC' })
    await harness.db.updateTable('domains').set({ status: 'WAIT_RULE_SET' }).where('number', '=', owner.id).execute()
    await setRule(harness.deps, owner.caller, { domain, ruleType: 'specified_email_address', ruleData: '' })
    await harness.reconcile(owner.id)
    expect(await shown(owner.caller, domain)).toMatchObject({ status: 'BIND' })
    return owner
  }

  it('an owner who shows the record again keeps the domain from another who proves it', async () => {
    const domain = `answered.${parent}`
    const owner = await link(domain)
    const rival = await claim(domain)
    await publish({ drop: [owner.proof], add: [rival.proof] })
    expect(await check(rival.caller, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'ownerAsked' } })
    expect(await check(owner.caller, domain)).toMatchObject({ status: 'BIND', problem: { key: 'contested' } })
    await publish({ add: [owner.proof] })
    expect(await check(owner.caller, domain)).toMatchObject({ status: 'BIND', problem: null })
    expect(await check(rival.caller, domain)).toMatchObject({ status: 'WAIT_TXT', problem: { key: 'claimRefused' } })
  })

  it('an owner who is silent for seven days loses it to another who proves it', async () => {
    const domain = `silent.${parent}`
    const owner = await link(domain)
    const rival = await claim(domain)
    await publish({ drop: [owner.proof], add: [rival.proof] })
    await check(rival.caller, domain)
    harness.clock.advance(7 * 24 * hourMs - 20_000)
    expect(await check(owner.caller, domain)).toMatchObject({ problem: { key: 'contested' } })
    harness.clock.advance(hourMs)
    await harness.reconcile(owner.id)
    expect(await shown(owner.caller, domain)).toBeUndefined()
    await harness.reconcile(rival.id)
    expect(await shown(rival.caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC' })
  })

  it('a delegation that was left behind proves nothing for a stranger', async () => {
    const domain = `dangling.${parent}`
    const owner = await link(domain)
    await removeDomain(harness.deps, owner.caller, { domain, confirm: domain })
    // The old record stands there too, as nobody tidied up.
    const stranger = await claim(domain)
    const seen = await check(stranger.caller, domain)
    expect(seen).toMatchObject({ status: 'WAIT_TXT', look: { passed: false } })
    await publish({ add: [stranger.proof] })
    expect(await check(stranger.caller, domain)).toMatchObject({ status: 'WAIT_REQUEST_VC' })
  })

  it('a name in letters of its own stays linked without its TXT record, and notices a delegation lost and back', async () => {
    const { caller, domain, proof } = await link(`bücher.${parent}`)
    expect(domain).toBe(`xn--bcher-kva.${parent}`)
    await publish({ drop: [proof] })
    const bound = { status: 'BIND', shown: `bücher.${parent}` }
    expect(await check(caller, domain)).toMatchObject({ ...bound, problem: null })
    await publish({ drop: delegation(domain) })
    expect(await check(caller, domain)).toMatchObject({ ...bound, problem: { key: 'delegationLost' } })
    await publish({ add: delegation(domain) })
    expect(await check(caller, domain)).toMatchObject({ ...bound, problem: null })
  })

  it('what contains a proven name, or is part of one, is proven by nobody else', async () => {
    const upper = `upper.${parent}`
    const [above, below] = [await claim(upper), await claim(`part.${upper}`)]
    await publish({ add: [below.proof, above.proof] })
    expect(await check(below.caller, below.domain)).toMatchObject({ status: 'WAIT_NS' })
    expect(await check(above.caller, upper)).toMatchObject({
      status: 'WAIT_TXT',
      look: { passed: true },
      problem: { key: 'childProven', other: below.domain },
    })
    await removeDomain(harness.deps, below.caller, { domain: below.domain })
    await harness.reconcile(above.id)
    expect(await shown(above.caller, upper)).toMatchObject({ status: 'WAIT_NS' })
    await expect(claim(`other.${upper}`)).rejects.toMatchObject({ key: 'domainParentProven' })
  })
})
