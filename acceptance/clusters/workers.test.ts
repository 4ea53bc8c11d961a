/** Workers with their real agents: they join, report, drain and go; and what the provider lacks is recreated. */
import { rmSync } from 'node:fs'
import {
  clusterRepair,
  clusterStart,
  clusterStop,
  createWorker,
  destroyMaster,
  destroyWorker,
  instanceList,
  type Resource,
  workerList,
} from '@atoll/contract/clusters'
import {
  type ApiClient,
  findInstanceFolder,
  listInstances,
  type ServerProcess,
  startServer,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunningCluster, findCluster, listOperations, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson } from '../stack/people.ts'

let server: ServerProcess
let api: ApiClient
let cluster: Resource
beforeAll(async () => {
  server = await startServer()
  api = (await createPerson(server.url)).api
  cluster = await createRunningCluster(api)
})
afterAll(() => server?.dispose())

async function waitForWorkers(statuses: string[]): Promise<Resource> {
  let seen: Resource | undefined
  return await until(
    `the workers are ${statuses.join(', ') || 'gone'}`,
    async () => {
      seen = await findCluster(api, cluster.clusterId)
      return seen?.workers.map(({ status }) => status).join() === statuses.join() ? seen : undefined
    },
    { onTimeout: () => `last seen: ${JSON.stringify(seen?.workers)}` },
  )
}

describe('workers', () => {
  it('join with their own agents, are counted at once, and report what they use', async () => {
    const { clusterId, offering, cpuCoreCount } = cluster
    const { instanceIds } = await api.ask(createWorker, { clusterId, offering: offering ?? '', quantity: 2 })
    expect((await findCluster(api, clusterId))?.cpuCoreTotalCount).toBe(3 * cpuCoreCount)
    await waitForWorkers(['running', 'running'])
    const lines = await until('both report', async () => {
      const all = await api.ask(workerList, { clusterId })
      return all.every(({ latest }) => latest !== null) ? all : undefined
    })
    expect(lines.map(({ instanceId, name, status }) => [instanceId, name, status])).toEqual([
      [instanceIds[0], 'worker-1', 'running'],
      [instanceIds[1], 'worker-2', 'running'],
    ])
    // Only the master waits for its owner.
    const all = await api.ask(instanceList, {})
    expect(all.map(({ role, status }) => [role, status])).toEqual([
      ['master', 'inactivated'],
      ['worker', 'running'],
      ['worker', 'running'],
    ])
  })

  it('stop and start with their cluster', async () => {
    const { clusterId } = cluster
    await api.ask(clusterStop, { clusterId })
    await waitForStatus(api, clusterId, ['stopped'])
    await waitForWorkers(['stopped', 'stopped'])
    expect(listInstances(server.dataDir)).toEqual([])
    await api.ask(clusterStart, { clusterId })
    await waitForStatus(api, clusterId, ['inactivated'])
    await waitForWorkers(['running', 'running'])
  })

  it('one drains and goes', async () => {
    const { clusterId } = cluster
    const [worker] = await api.ask(workerList, { clusterId })
    await api.ask(destroyWorker, { clusterId, instanceId: worker?.instanceId ?? '' })
    await waitForWorkers(['running'])
    const [operation] = await listOperations(api, clusterId)
    expect(operation).toMatchObject({
      kind: 'destroyWorker',
      state: 'done',
      by: api.credentials?.userid,
      // The agent answered: nothing is said about it.
      steps: [
        { step: 'draining', state: 'done', detail: null },
        { step: 'destroying', state: 'done', detail: null },
      ],
    })
  })

  it('one whose folder is gone is shown as missing and recreated by a repair', async () => {
    const { clusterId } = cluster
    const [worker] = await api.ask(workerList, { clusterId })
    const instanceId = worker?.instanceId ?? ''
    rmSync(findInstanceFolder(server.dataDir, instanceId), { recursive: true, force: true })
    await until('it is missing', async () => (await api.ask(workerList, { clusterId }))[0]?.missing, {
      timeoutMs: 180_000,
    })
    await api.ask(clusterRepair, { clusterId, instanceId })
    await waitForWorkers(['running'])
    const [recreated] = await api.ask(workerList, { clusterId })
    expect(recreated?.instanceId).not.toBe(instanceId)
    expect(recreated?.missing).toBe(false)
    const { instanceId: master } = (await findCluster(api, clusterId)) ?? cluster
    await expectSound(server, api, {
      instances: [master, recreated?.instanceId ?? ''].map((id) => ({ instanceId: id, running: true })),
    })
  })

  it('go with their cluster', async () => {
    await api.ask(destroyMaster, { clusterId: cluster.clusterId, confirm: true })
    await waitUntilGone(api, cluster.clusterId)
    await expectSound(server, api, { instances: [] })
  })
})
