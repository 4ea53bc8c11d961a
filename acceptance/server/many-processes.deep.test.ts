import { randomBytes } from 'node:crypto'
import { clusterRestart, createCluster, destroyMaster, resourceList } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  createApiClient,
  createTestDatabase,
  openChangeStream,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson } from '../stack/people.ts'

describe('two api and two worker processes on one database', () => {
  let database: TestDatabase
  let first: ServerProcess
  let second: ServerProcess
  let workers: ServerProcess[]

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    const ports = await chooseServerPorts()
    const env = {
      DATABASE_URL: database.url,
      ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
      ATOLL_PUBLIC_URL: `http://localhost:${ports.console}`,
      ATOLL_CONTROL_URL: `http://127.0.0.1:${ports.console}`,
    }
    // All four migrate the empty database at the same moment.
    const shared = startServer({ env, roles: ['api', 'edge'], ports })
    const dataDir = shared.then((server) => server.dataDir)
    first = await shared
    const others = await Promise.all([
      startServer({ env, roles: ['api'], dataDir: await dataDir }),
      startServer({ env, roles: ['worker'], dataDir: await dataDir }),
      startServer({ env, roles: ['worker'], dataDir: await dataDir }),
    ])
    ;[second, ...workers] = others
  })
  afterAll(async () => {
    await Promise.all([...(workers ?? []), second].map((server) => server?.kill('SIGTERM')))
    await first?.dispose()
    await database?.drop()
  })

  it('work as one: signed in on one, created through the other, seen on both, one instance', async () => {
    const { api, session } = await createPerson(first.url)
    const elsewhere = createApiClient(second.url, session)
    await using here = await openChangeStream(first.url, session)
    await using there = await openChangeStream(second.url, session)
    const { clusterId } = await elsewhere.ask(createCluster, await composeOrder(elsewhere))
    const cluster = await waitForStatus(api, clusterId, ['inactivated'])
    for (const stream of [here, there]) {
      await until('both event streams publish the cluster', () =>
        stream.events.some((event) => event.topic === 'cluster' && event.id === clusterId),
      )
    }
    await expectSound(first, elsewhere, { instances: [{ instanceId: cluster.instanceId, running: true }] })
    await elsewhere.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(api, clusterId)
    await expectSound(first, api, { instances: [] })
  })

  it('create one cluster for one requestId sent to both at once', async () => {
    const { api, session } = await createPerson(second.url)
    const elsewhere = createApiClient(first.url, session)
    const order = await composeOrder(api, { requestId: `twice-${process.pid}-0001` })
    const answers = await Promise.all(
      [api, elsewhere, api, elsewhere].map((client) => client.ask(createCluster, order)),
    )
    expect(new Set(answers.map((answer) => answer.clusterId)).size).toBe(1)
    const [cluster] = await api.ask(resourceList, {})
    if (!cluster) throw new Error('nothing was created')
    const { clusterId, instanceId } = await waitForStatus(api, cluster.clusterId, ['inactivated'])
    await expectSound(first, api, { instances: [{ instanceId, running: true }] })
    await api.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(api, clusterId)
  })

  it('go on when either worker dies with the job in its hands', async () => {
    const { api } = await createPerson(first.url)
    const [left, right] = workers
    if (!left || !right) throw new Error('there are no workers')
    const { clusterId } = await api.ask(createCluster, await composeOrder(api))
    await left.kill('SIGKILL')
    const { instanceId } = await waitForStatus(api, clusterId, ['inactivated'])
    await left.restart()
    await api.ask(clusterRestart, { clusterId })
    await right.kill('SIGKILL')
    await waitForStatus(api, clusterId, ['inactivated'])
    await right.restart()
    await expectSound(first, api, { instances: [{ instanceId, running: true }] })
  })
})
