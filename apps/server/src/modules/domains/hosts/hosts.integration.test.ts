import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { silentLog } from '../../../platform/log.ts'
import { addDomain, checkDomain, removeDomain } from '../claims/domain-service.ts'
import { listAddresses } from '../members/member-addresses.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { findCustomHost, listHostsOf } from '../records/host-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { nameHosts } from './cluster-hosts.ts'
import { hostSweep } from './host-sweep.ts'

let harness: DomainHarness
beforeAll(async () => {
  harness = await createDomainHarness()
})
afterAll(() => harness[Symbol.asyncDispose]())

let serial = 0
/** A domain in use, whose owner is `lena`. */
async function linked() {
  serial += 1
  const caller = await harness.createCaller()
  const { id, domain } = await addDomain(harness.deps, caller, { domain: `cloud.host${serial}.example`, method: 'ns' })
  const at = harness.clock.now()
  await harness.db.updateTable('domains').set({ status: 'ALLOCATED', proven_at: at }).where('number', '=', id).execute()
  await harness.db
    .insertInto('names')
    .values({ name: `lena@${domain}`, did: caller.did, bound_at: at })
    .execute()
  return { caller, domain, number: id, owner: caller.userid }
}
async function addCluster(owner: string): Promise<string> {
  const id = newId('cl')
  const at = harness.clock.now()
  await harness.db
    .insertInto('clusters')
    .values({
      id,
      owner,
      name: id,
      cluster_type: 'SelfHost',
      host_label: id.slice(3),
      status: 'running',
      desired: 'running',
      created_at: at,
      changed_at: at,
      checked_at: at,
    })
    .execute()
  harness.clock.advance(1000)
  await give(owner)
  return id
}
const give = (owner: string) => harness.db.transaction().execute((trx) => nameHosts(harness.deps, trx, owner))
const clusterAt = async (host: string) => (await findCustomHost(harness.db, host))?.clusterId
const zoneNames = (domain: string) => (harness.dns.zones.get(domain) ?? []).map(({ name }) => name).toSorted()

test('clusters answer at the name, then at name-2; each host has all that is one label below it', async () => {
  const { domain, owner, number } = await linked()
  const [one, two] = [await addCluster(owner), await addCluster(owner)]
  expect(await findCustomHost(harness.db, `lena.${domain}`)).toEqual({
    clusterId: one,
    clusterHost: `lena.${domain}`,
    domainId: String(number),
  })
  expect(await findCustomHost(harness.db, `photos.lena-2.${domain}`)).toMatchObject({
    clusterId: two,
    clusterHost: `lena-2.${domain}`,
  })
  for (const host of [domain, `mia.${domain}`, `a.b.lena.${domain}`]) expect(await clusterAt(host)).toBeUndefined()
  const hosts = [`lena.${domain}`, `lena-2.${domain}`]
  expect(zoneNames(domain)).toEqual([domain, ...hosts, ...hosts.map((host) => `*.${host}`)].toSorted())
  expect(harness.certificates.get(number)?.hosts.toSorted()).toEqual(hosts.toSorted())
})

test('the owner of the domain sees where clusters are reached, and until when with HTTPS', async () => {
  const { caller, domain, owner, number } = await linked()
  const [one, two] = [await addCluster(owner), await addCluster(owner)]
  const [soon, late] = [new Date('2027-01-02T00:00:00Z'), new Date('2027-02-03T00:00:00Z')]
  const listEnds = async () => [
    { names: [`*.${domain}`, domain], validUntil: late },
    { names: [`*.lena.${domain}`], validUntil: soon },
    { names: [`*.lena-2.${domain}`], validUntil: null },
  ]
  const deps = { ...harness.deps, certificates: { ...harness.deps.certificates, listEnds } }
  const listHosts = async (method: 'ns' | 'cname') =>
    (await listAddresses(deps, { number, method }, [caller.did])).get(caller.did)?.map(Object.values)
  const hosts = [
    [`lena-2.${domain}`, two, two, late.toISOString()],
    [`*.lena-2.${domain}`, two, two, null],
    [`lena.${domain}`, one, one, late.toISOString()],
    [`*.lena.${domain}`, one, one, soon.toISOString()],
  ]
  expect(await listHosts('ns')).toEqual(hosts)
  expect(await listHosts('cname')).toEqual(hosts.filter(([host]) => !host?.startsWith('*')))
  expect(await listAddresses(deps, { number, method: 'ns' }, [])).toEqual(new Map())
})

test('given twice, or by two at once, nothing changes; a cluster that ended loses its host to the next one', async () => {
  const { domain, owner } = await linked()
  const one = await addCluster(owner)
  await Promise.all([give(owner), give(owner), give(owner)])
  expect(await clusterAt(`lena.${domain}`)).toBe(one)
  await harness.db.updateTable('clusters').set({ status: 'destroyed' }).where('id', '=', one).execute()
  const sweep = hostSweep(harness.deps)
  await sweep.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  expect(await clusterAt(`lena.${domain}`)).toBeUndefined()
  const two = await addCluster(owner)
  expect(await clusterAt(`lena.${domain}`)).toBe(two)
})

test('a removed domain leaves no host, no zone and no certificate', async () => {
  const { caller, domain, owner, number } = await linked()
  await addCluster(owner)
  await removeDomain(harness.deps, caller, { domain, confirm: domain })
  expect(await clusterAt(`lena.${domain}`)).toBeUndefined()
  expect([harness.dns.zones.has(domain), harness.certificates.has(number)]).toEqual([false, false])
  await give(owner)
  expect(await clusterAt(`lena.${domain}`)).toBeUndefined()
})

test('a change of the cluster is published when its host no longer leads here, and when it does again', async () => {
  const { caller, domain, owner, number } = await linked()
  const cluster = await addCluster(owner)
  async function countChanges() {
    const rows = harness.db.selectFrom('changes').select('id').where('topic', '=', 'cluster')
    return (await rows.where('object_id', '=', cluster).execute()).length
  }
  async function check() {
    const due = harness.db.updateTable('domains').set({ next_check_at: harness.clock.now() })
    await due.where('number', '=', number).execute()
    await harness.reconcile(number)
    return (await listHostsOf(harness.db, [cluster])).get(cluster)
  }
  harness.dns.records.add(`NS ${domain}`)
  expect(await check()).toBe(`lena.${domain}`)
  const before = await countChanges()
  harness.dns.records.delete(`NS ${domain}`)
  for (const _ of ['lost', 'still lost']) {
    expect(await check()).toBeUndefined()
    expect(await countChanges()).toBe(before + 1)
  }
  harness.dns.records.add(`NS ${domain}`)
  expect(await check()).toBe(`lena.${domain}`)
  expect(await countChanges()).toBe(before + 2)
  await removeDomain(harness.deps, caller, { domain, confirm: domain })
  expect(await countChanges()).toBe(before + 3)
})

test('at an apex the proof ends with a removal, for the same account too', async () => {
  serial += 1
  const domain = `lagoon-apex${serial}.com`
  const [caller, stranger] = [await harness.createCaller(), await harness.createCaller()]
  const order = { domain, method: 'ns', confirm: domain } as const
  const added = await addDomain(harness.deps, caller, order)
  harness.dns.records.add(`TXT ${added.txt?.value}`)
  await checkDomain(harness.deps, caller, domain)
  await harness.reconcile(added.id)
  expect((await findOwnDomain(harness.db, caller.userid, domain))?.status).toBe('WAIT_NS')
  expect(harness.dns.zones.get(domain)).toEqual([])
  await removeDomain(harness.deps, caller, { domain })
  for (const one of [stranger, caller]) {
    const again = await addDomain(harness.deps, one, order)
    await harness.reconcile(again.id)
    expect((await findOwnDomain(harness.db, one.userid, domain))?.status).toBe('WAIT_TXT')
  }
  expect(harness.dns.zones.has(domain)).toBe(false)
})
