/** Clusters of drills are in no answer: each call of the contract is asked by an owner and by an Admin beside one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getDid, listOperatedAccounts } from '../modules/accounts/index.ts'
import { listClusterOwners, listMeteredInstances, listWatchedInstances } from '../modules/clusters/index.ts'
import type { Ids } from './call-bodies.fixture.ts'
import { createIds, nobodys } from './testing/owned-ids.ts'
import { callsThat, send } from './testing/table-calls.ts'
import { openTestApp, type Person, type TestApp } from './testing/test-app.ts'

let app: TestApp
let owner: Person
let admin: Person
let ids: Ids
/** The cluster, its instance and its owner, as if they were asked for by name. */
let hidden: Pick<Ids, 'clusterId' | 'instanceId' | 'userid' | 'accountId'>
beforeAll(async () => {
  app = await openTestApp()
  ;[owner, admin] = [await app.createPerson(), await app.createPerson('Admin')]
  ids = await createIds(app.database, owner)
  const { db } = app.database
  const request = { size: 1000, currency: 'usd', onlyFree: true } as const
  const ordered = await db.transaction().execute((trx) => app.system.clusters.drills.order(trx, request))
  if (typeof ordered === 'string') throw new Error('the catalogue sells nothing')
  const { clusterId } = ordered
  // As it is when it runs: more calls list what runs.
  await db.updateTable('clusters').set({ status: 'running' }).where('id', '=', clusterId).execute()
  const master = db.updateTable('instances').set({ status: 'running', host: '127.0.0.1', port: 1 })
  const { id, owner: accountId } = await master
    .where('cluster_id', '=', clusterId)
    .returning(['id', 'owner'])
    .executeTakeFirstOrThrow()
  hidden = { clusterId, instanceId: id, accountId, userid: await getDid(db, accountId) }
})
afterAll(() => app[Symbol.asyncDispose]())

const isNamed = (answer: unknown) => Object.values(hidden).some((id) => JSON.stringify(answer).includes(id))

describe('a cluster of a drill', () => {
  // Calls that end or delete an object that others ask for come last.
  it.each([['list'], ['self'], ['anyone'], ['object', 'ownersOnly', 'private']] as const)(
    'is named by no call about %s',
    async (...reaches) => {
      for (const [name, call] of callsThat(...reaches)) {
        for (const person of [owner, admin])
          expect([name, isNamed(await send(person, call, ids))]).toEqual([name, false])
      }
    },
  )

  it('does not exist for an Admin who asks for it', async () => {
    for (const [name, call] of callsThat('object', 'ownersOnly')) {
      const { message, code } = await send(admin, call, nobodys)
      const answer = await send(admin, call, { ...nobodys, ...hidden, workerId: hidden.instanceId })
      expect([name, answer]).toEqual([name, expect.objectContaining({ message, code })])
    }
  })

  it('is counted for the operator', async () => {
    expect(await app.system.metrics.text()).toContain('\natoll_drill_clusters 1\n')
  })

  it('is neither metered, watched, counted against a quota, mailed about, nor at any host', async () => {
    const { db } = app.database
    expect(isNamed(await listMeteredInstances(db))).toBe(false)
    expect(await listWatchedInstances(db, [hidden.instanceId])).toEqual([])
    expect(isNamed(await listClusterOwners(db))).toBe(false)
    expect(isNamed(await listOperatedAccounts(db))).toBe(false)
    const { host_label: label } = await db
      .selectFrom('clusters')
      .select('host_label')
      .where('id', '=', hidden.clusterId)
      .executeTakeFirstOrThrow()
    expect(await app.system.clusters.findRouteByHost(db, `${label}.atoll.localhost`)).toBeUndefined()
    const subscribed = db.selectFrom('subscriptions').select('id').where('userid', '=', hidden.accountId)
    expect(await subscribed.execute()).toEqual([])
  })
})
