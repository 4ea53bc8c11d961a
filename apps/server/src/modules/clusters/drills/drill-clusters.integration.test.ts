import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { testCatalog } from '../testing/cluster-harness.ts'
import { drillClusters, mostDrills } from './drill-clusters.ts'

const database = useDatabase()
const clock = createTestClock(new Date('2028-06-01T12:00:00Z'))
const request = { size: 1000, currency: 'usd', onlyFree: true } as const

test('of workers that order at one moment, as many get a cluster as there may be', async () => {
  const { db } = database
  const drills = drillClusters({ clock, compute: { catalog: testCatalog } as never }) // all that it asks of compute
  const order = () => db.transaction().execute((trx) => drills.order(trx, request))
  const clustersOf = (answers: Awaited<ReturnType<typeof order>>[]) =>
    answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.clusterId]))
  const first = await Promise.all(Array.from({ length: mostDrills + 3 }, order))
  expect(first.filter((answer) => answer === 'full')).toHaveLength(3)
  expect((await drills.list(db)).map(({ clusterId }) => clusterId).toSorted()).toEqual(clustersOf(first).toSorted())

  const [gone = ''] = clustersOf(first)
  await db.transaction().execute((trx) => drills.destroy(trx, gone))
  const next = await Promise.all([order(), order(), order()])
  expect(clustersOf(next)).toHaveLength(1)
  expect(await drills.list(db)).toHaveLength(mostDrills)
})
