/** Which zone shows that this database is older than what is served, at a PowerDNS that is simulated. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import {
  beCareful,
  endCareful,
  findCareful,
  raiseDoubt,
  raiseStartDoubts,
  settleDoubt,
} from '../../../platform/careful/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { listStrays, recountStrays } from '../../../platform/strays/index.ts'
import { setZone } from '../zones/zone-store.ts'
import type { PowerDns } from './powerdns-client.ts'
import type { Rrset } from './rrsets.ts'
import { zoneReconcile } from './zone-reconcile.ts'
import { sourceOf, sourcesOf } from './zone-sources.ts'
import { zoneStrays } from './zone-strays.ts'

const harness = useDatabase()
const day = 24 * 60 * 60_000
const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
const served = new Map<string, Rrset[]>()
const serialOf = (rrsets: readonly Rrset[]) =>
  Number(rrsets.find(({ type }) => type === 'SOA')?.records[0]?.content.split(' ')[2])
const powerDns: PowerDns = {
  server: 'http://powerdns.test',
  async findZone(domain) {
    const rrsets = served.get(domain)
    return rrsets && { isOurs: true, isPlain: true, rrsets }
  },
  createZone: async (domain, rrsets) => void served.set(domain, [...rrsets]),
  makePlain: async () => undefined,
  async patchZone(domain, changes) {
    const key = ({ name, type }: Pick<Rrset, 'name' | 'type'>) => `${name} ${type}`
    const changed = new Set(changes.map(key))
    const kept = (served.get(domain) ?? []).filter((set) => !changed.has(key(set)))
    served.set(domain, [...kept, ...changes.flatMap((change) => (change.changetype === 'REPLACE' ? [change] : []))])
  },
  removeZone: async (domain) => void served.delete(domain),
  listOwnZones: async () => [...served].map(([domain, rrsets]) => ({ domain, serial: serialOf(rrsets) })),
  calls: () => ({ done: 0, away: 0, refused: 0 }),
}

beforeEach(async () => {
  served.clear()
  await harness.pool.query('truncate doubts, evidence, strays, zones, zone_records, zone_copies, zone_publications')
})

const set = (domain: string, value = '192.0.2.1') =>
  harness.db
    .transaction()
    .execute((trx) =>
      setZone(trx, { domain, nameServers: ['ns1.host.example'], records: [{ name: `a.${domain}`, type: 'A', value }] }),
    )
async function publish(domain: string): Promise<void> {
  const job = zoneReconcile({ db: harness.db, clock, servers: [powerDns], onRepair: () => undefined })
  await job.run({ id: domain }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
const ask = async () => {
  await sourcesOf({ db: harness.db, servers: [powerDns] })[0]?.ask(clock.now())
  return await findCareful(harness.db)
}

test('a serial that was never given to it shows an older database, however far the counter has come', async () => {
  await set('reef.example')
  await publish('reef.example')
  const { rows } = await harness.pool.query('select * from zone_publications')
  await set('reef.example', '192.0.2.2')
  await publish('reef.example')
  expect(await ask()).toBeUndefined()
  // Restored from between the two; meanwhile people ask for zones, which are not published before it was asked.
  await harness.pool.query('update zone_publications set serial = $1', [rows[0].serial])
  await raiseStartDoubts(harness.db, [sourceOf(powerDns)], clock.now())
  for (const domain of ['a.example', 'b.example', 'c.example']) await set(domain)
  expect((await ask())?.why).toContain('http://powerdns.test has reef.example with serial')
  await publish('a.example')
  expect(served.has('a.example')).toBe(false)
})

test('a zone that no row names is stopped by nothing but its days, and only listed while careful or in doubt', async () => {
  const listed = async () => (await listStrays(harness.db)).map(({ kind, object }) => `${kind} ${object}`)
  const strays = zoneStrays({ db: harness.db, clock, servers: [powerDns], strayMs: 7 * day, onRepair: () => undefined })
  const sweep = async () =>
    await strays.run(undefined, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
  await set('known.example')
  await publish('known.example')
  served.set('stray.example', [])
  await beCareful(harness.db, 'a test', clock.now())
  await sweep()
  clock.advance(30 * day)
  await sweep()
  expect([[...served.keys()], await listed()]).toEqual([['known.example', 'stray.example'], ['zone stray.example']])
  await harness.db.transaction().execute((trx) => endCareful(trx, clock.now()))
  await recountStrays(harness.db)
  await sweep()
  clock.advance(8 * day)
  await raiseDoubt(harness.db, 'clock', 'it jumped', clock.now())
  await sweep()
  await settleDoubt(harness.db, 'clock')
  await raiseStartDoubts(harness.db, [sourceOf(powerDns)], clock.now())
  await sweep()
  expect(served.has('stray.example')).toBe(true)
  await settleDoubt(harness.db, sourceOf(powerDns))
  await sweep()
  expect([[...served.keys()], await listed()]).toEqual([['known.example'], []])
})

test('what was given to it and not written down as served, as by a kill in between, shows nothing', async () => {
  await set('reef.example')
  await publish('reef.example')
  await set('reef.example', '192.0.2.2')
  const patchZone = powerDns.patchZone
  powerDns.patchZone = async (domain, changes) => {
    await patchZone(domain, changes)
    throw new Error('killed')
  }
  await expect(publish('reef.example')).rejects.toThrow('killed')
  powerDns.patchZone = patchZone
  expect(await ask()).toBeUndefined()
  await publish('reef.example')
  expect(await ask()).toBeUndefined()
})
