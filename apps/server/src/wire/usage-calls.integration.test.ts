/** The four calls that report usage: one source, each in its own unit. */
import { backupUsage, planUsage, trafficUsage } from '@atoll/contract/billing'
import { clusterUsage, createCluster, resourceInitNew } from '@atoll/contract/clusters'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTraffic } from '../modules/edge/index.ts'
import { insertLevels } from '../modules/usage/readings/reading-tables.ts'
import { startWholeServer, type WholeServer } from '../testing/whole-server.ts'

let server: WholeServer
beforeAll(async () => {
  server = await startWholeServer({ hasJobs: false })
})
afterAll(() => server.close())

test('plan, clusters, traffic and backups report the same', async () => {
  const { userid: owner, api } = await server.createPerson('reef@atoll.test')
  const order = { clusterType: 'SelfHost', reverseProxy: 'none' } as const
  const clusters = [await api.ask(createCluster, order), await api.ask(createCluster, order)]
  const [first = '', second = ''] = clusters.map(({ clusterId }) => clusterId)
  const { db } = server.database
  const moved = [
    { clusterId: first, kind: 'edge', in: 1_234_567_499, out: 2 },
    { clusterId: second, kind: 'FrpNetwork', in: 70_000_000_000, out: 501 },
  ] as const
  // Traffic over an owner's own tunnel is shown and not charged: it counts against no quota.
  const tunnelled = { clusterId: second, kind: 'CloudflareNetwork', in: 900_000_000_000, out: 3_000_000 } as const
  for (const one of [...moved, tunnelled]) await addTraffic(db, new Date(), [one])
  // A period that began yesterday, and a level held as long: what it comes to grows by little between two calls.
  await db
    .updateTable('accounts')
    .set({ created_at: new Date(Date.now() - 86_400_000) })
    .where('account_id', '=', owner)
    .execute()
  const level = { owner, clusterId: second, series: 'vr_reef', at: new Date(Date.now() - 86_400_000), key: 'reef' }
  await db.transaction().execute((trx) => insertLevels(trx, 'cloud_backup', [{ ...level, bytes: 9e12 }], new Date()))

  const [plan, traffic, backup, ...each] = await Promise.all([
    api.ask(planUsage, {}),
    api.ask(trafficUsage, {}),
    api.ask(backupUsage, {}),
    api.ask(clusterUsage, { clusterId: first }),
    api.ask(clusterUsage, { clusterId: second }),
  ])
  const ofProduct = (wanted: string) => plan.find(({ productType }) => productType === wanted)
  const [planTraffic, planBackup] = [ofProduct('cloud_traffic'), ofProduct('cloud_backup')]
  const bytes = moved.reduce((sum, one) => sum + one.in + one.out, 0)
  expect(planTraffic?.used).toBe(Math.round(bytes / 1000) / 1e6)
  expect(planTraffic?.overage).toBeCloseTo((planTraffic?.used ?? 0) - (planTraffic?.quota ?? 0), 6)
  const toBytes = (gigabytes = 0) => Math.round(gigabytes * 1e9)
  expect(traffic).toEqual({
    totalSize: toBytes(planTraffic?.quota),
    usedSize: toBytes(planTraffic?.used),
    overageSize: toBytes(planTraffic?.overage),
  })
  expect(each.map((one) => one.traffic)).toMatchObject([
    { value: 1.234568, unitLabel: 'GB', quota: planTraffic?.quota },
    { value: 70.000001, unitLabel: 'GB', quota: planTraffic?.quota },
  ])
  // A network's is the sum of its clusters', each of them rounded.
  expect(Object.fromEntries(planTraffic?.networks.map(({ network, used }) => [network, used]) ?? [])).toEqual({
    CloudflareNetwork: 900.003,
    FrpNetwork: expect.closeTo(71.234568, 5),
  })
  // Yesterday's is of the period, and not of today.
  await addTraffic(db, new Date(Date.now() - 86_400_000), [{ clusterId: first, kind: 'edge', in: 5e9, out: 0 }])
  const after = (await api.ask(planUsage, {})).find(({ productType }) => productType === 'cloud_traffic')
  expect(after?.used).toBeCloseTo((planTraffic?.used ?? 0) + 5, 5)
  expect(planTraffic?.today).toEqual({
    used: planTraffic?.used,
    clusters: [
      { clusterId: first, used: 1.234568 },
      { clusterId: second, used: 70.000001 },
    ].toSorted((a, b) => (a.clusterId < b.clusterId ? -1 : 1)),
  })
  expect(after?.today).toEqual(planTraffic?.today)
  expect(plan.filter((row) => row.today !== undefined)).toEqual([planTraffic])
  // Backups are a mean over the period, which grows between two calls.
  expect(planBackup?.used).toBeGreaterThan(0)
  expect(backup.totalSize).toBe(toBytes(planBackup?.quota))
  expect(backup.usageSize / toBytes(planBackup?.used)).toBeCloseTo(1, 2)
  expect(each.map((one) => one.backup.value > 0)).toEqual([false, true])
  expect((each[1]?.backup.value ?? 0) / (planBackup?.used ?? 1)).toBeCloseTo(1, 2)
})

test('an account whose traffic is used up has its access limited until there is room again, and nobody else', async () => {
  const [mine, other] = [await server.createPerson('tikehau@atoll.test'), await server.createPerson('motu@atoll.test')]
  const { clusterId } = await mine.api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  const limited = async ({ api }: typeof mine) => (await api.ask(resourceInitNew, {})).user.accessLimit
  const { db } = server.database
  // As an edge leaves it that has just counted the last of it; Free includes 50 GB, and stops there.
  await addTraffic(db, new Date(), [{ clusterId, kind: 'edge', in: 50_000_000_000, out: 0 }])
  await db
    .insertInto('traffic_allowances')
    .values({ userid: mine.userid, left_bytes: 0, limited: true, checked_at: new Date() })
    .execute()
  expect([await limited(mine), await limited(other)]).toEqual([true, false])
  await db.deleteFrom('traffic_counters').where('cluster_id', '=', clusterId).execute()
  expect(await limited(mine)).toBe(false)
})
