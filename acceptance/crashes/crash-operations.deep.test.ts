import {
  type ClusterStatus,
  clusterRestart,
  clusterStart,
  clusterStop,
  createCluster,
  destroyMaster,
  type Resource,
  resourceList,
} from '@atoll/contract/clusters'
import { createSeededRandom, type ServerProcess, startServer } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeOrder, createRunningCluster, findCluster, waitForStatus, waitUntilGone } from '../stack/clusters.ts'
import { type CrashPoint, type CrashScope, crashDuring, nameOf } from '../stack/faults/crash.ts'
import { expectSound } from '../stack/faults/soundness.ts'
import { createPerson, type Person } from '../stack/people.ts'

const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)
const random = createSeededRandom(seed)
const scopes: [CrashScope, ...CrashScope[]] = ['server', 'server and database', 'machine']

let server: ServerProcess
let person: Person
beforeAll(async () => {
  server = await startServer()
  person = await createPerson(server.url)
})
afterAll(() => server?.dispose())

let drawn = 0
const nextScope = () => scopes[drawn++ % scopes.length] ?? 'server'

/** Each action twice: killed when its status shows, and at some moment after the request; the scopes in turn. */
function pointsOf(moving: ClusterStatus): { point: CrashPoint; moment: string; scope: CrashScope }[] {
  const points: CrashPoint[] = [
    { at: 'status', status: moving },
    { at: 'delay', ms: random.between(0, 300) },
  ]
  return points.map((point) => ({ point, moment: nameOf(point), scope: nextScope() }))
}

const actions = [
  { action: 'stop', call: clusterStop, before: 'inactivated', moving: 'stopping', after: 'stopped' },
  { action: 'start', call: clusterStart, before: 'stopped', moving: 'starting', after: 'inactivated' },
  { action: 'restart', call: clusterRestart, before: 'inactivated', moving: 'restarting', after: 'inactivated' },
] as const

describe(`killed while a cluster changes (seed ${seed})`, () => {
  let cluster: Resource
  beforeAll(async () => {
    cluster = await createRunningCluster(person.api)
  })

  /** Brings the cluster to where the next action starts, without any crash. */
  async function prepare(before: 'inactivated' | 'stopped') {
    const current = await findCluster(person.api, cluster.clusterId)
    if (current?.status === before) return
    const call = before === 'stopped' ? clusterStop : clusterStart
    await person.api.ask(call, { clusterId: cluster.clusterId })
    await waitForStatus(person.api, cluster.clusterId, [before])
  }

  const rounds = actions.flatMap((row) => pointsOf(row.moving).map((crash, round) => ({ ...row, ...crash, round })))
  it.each(rounds)(
    '$action goes on after the $scope was killed $moment',
    async ({ action, call, before, after, point, scope, round }) => {
      const { api } = person
      const { clusterId, instanceId } = cluster
      await prepare(before)
      const requestId = `crash-${action}-${seed}-${round}`
      const { answer } = await crashDuring({
        server,
        scope,
        point,
        send: () => api.send(call, { clusterId, requestId }),
        find: () => findCluster(api, clusterId),
      })
      expect(answer).toMatchObject({ code: 200 })
      await waitForStatus(api, clusterId, [after])
      await expectSound(server, api, { instances: [{ instanceId, running: after !== 'stopped' }] })
    },
  )
})

describe(`killed while a cluster is destroyed (seed ${seed})`, () => {
  /** The cluster of the tests above must survive the destruction of its neighbours. */
  async function othersInstances() {
    const clusters = await person.api.ask(resourceList, {})
    for (const { clusterId } of clusters) await waitForStatus(person.api, clusterId, ['inactivated', 'stopped'])
    const settled = await person.api.ask(resourceList, {})
    return settled.map(({ instanceId, status }) => ({ instanceId, running: status !== 'stopped' }))
  }

  it.each(pointsOf('destroying').map((crash, round) => ({ ...crash, round })))(
    'it is destroyed though the $scope was killed $moment',
    async ({ point, scope, round }) => {
      const { api } = await createPerson(server.url)
      const { clusterId } = await createRunningCluster(api)
      const requestId = `crash-destroy-${seed}-${round}`
      const { answer } = await crashDuring({
        server,
        scope,
        point,
        send: () => api.send(destroyMaster, { clusterId, confirm: true, requestId }),
        find: () => findCluster(api, clusterId),
      })
      expect(answer).toMatchObject({ code: 200 })
      await waitUntilGone(api, clusterId)
      await expectSound(server, api, { instances: await othersInstances() })
    },
  )

  it('it is destroyed in the middle of being created', async () => {
    const { api } = await createPerson(server.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api))
    await waitForStatus(api, clusterId, ['installing', 'inactivated'])
    const { answer } = await crashDuring({
      server,
      scope: 'server',
      point: { at: 'answer' },
      send: () => api.send(destroyMaster, { clusterId, confirm: true, requestId: `crash-both-${seed}` }),
      find: () => findCluster(api, clusterId),
    })
    expect(answer).toMatchObject({ code: 200 })
    await waitUntilGone(api, clusterId)
    await expectSound(server, api, { instances: await othersInstances() })
  })
})
