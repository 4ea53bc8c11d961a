/** A drill's cluster leaves no trace in any place where people read about clusters, whatever happens to it. */
import { expect, test } from 'vitest'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { createFigurePublisher } from '../instances/live-figures.ts'
import { callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { keepDrillOwner } from './drill-owner.ts'

test('its life, its loss and its figures are in no log and no stream; those of a cluster beside it are', async () => {
  const instances: MemoryHarness = new Map()
  const agents = simulateAgents(instances)
  await using harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  const { db, database, deps, clusters, settle, rows } = harness
  const admin = await harness.newOwner()
  const { clusterId: seen } = await orderCluster(deps, callerOf(await harness.newOwner()), testOrder)
  const request = { size: 1000, currency: 'usd', onlyFree: true } as const
  const ordered = await db.transaction().execute((trx) => clusters.drills.order(trx, request))
  if (typeof ordered === 'string') throw new Error(ordered)
  const both = [seen, ordered.clusterId]

  await db
    .insertInto('watchers')
    .values({ account: admin, everybodys: ['cluster', 'metrics'], until: new Date(Date.now() + 3600_000) })
    .execute()
  const publishFigures = createFigurePublisher(deps)
  for (const clusterId of both) {
    const { id: instanceId } = await settle(clusterId)
    await db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId }))
    await publishFigures([instanceId])
    // Its provider says that it is gone.
    instances.delete(instanceId)
    await settle(clusterId)
    expect((await rows(clusterId)).master).toMatchObject({ status: 'errored', missing: true })
  }
  const listIds = async (table: string, column: string) =>
    (await database.pool.query<{ id: string }>(`select distinct ${column} as id from ${table}`)).rows
      .map(({ id }) => id)
      .filter((id) => both.includes(id))
  const lost = (await rows(seen)).master.id
  expect(await listIds('changes', 'object_id')).toEqual([seen])
  expect(await listIds('fleeting_changes', 'object_id')).toEqual([seen])
  const { rows: recorded } = await database.pool.query<{ id: string; owner: string }>(
    `select object_id as id, owner from audit_drafts
      union select object_id, account_id from audit_entries join account_dids on did = owner`,
  )
  expect(recorded.map(({ id }) => id)).toContain(lost)
  expect(new Set(recorded.map(({ owner }) => owner))).toEqual(new Set([(await rows(seen)).cluster.owner]))
})

test('two first drills at once belong to one account, and there is no other', async () => {
  const instances: MemoryHarness = new Map()
  const agents = simulateAgents(instances)
  await using harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  const keep = () => harness.db.transaction().execute((trx) => keepDrillOwner(trx, new Date()))
  const [one, other] = await Promise.all([keep(), keep()])
  expect(one).toBe(other)
  const made = await harness.db.selectFrom('accounts').select('account_id').execute()
  expect(made).toEqual([{ account_id: one }])
})
