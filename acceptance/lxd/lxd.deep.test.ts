/** A server on an LXD of the test's own: what users of it see, from the order to the last container. */
import { backupList } from '@atoll/contract/backups'
import {
  clusterActivation,
  clusterRestart,
  clusterStart,
  clusterStop,
  createCluster,
  createWorker,
  destroyMaster,
  destroyWorker,
  instanceDetails,
  type Resource,
  workerList,
} from '@atoll/contract/clusters'
import type { ActivationBegun } from '@atoll/contract/personal-server'
import { createSeededRandom, type LxdServer, type ServerProcess, startLxdServer, until, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  composeOrder,
  createRunningCluster,
  findCluster,
  listOperations,
  waitForStatus,
  waitUntilGone,
} from '../stack/clusters.ts'
import { crashDuring } from '../stack/faults/crash.ts'
import { singleAccess, startLxdServerProcess, visit } from '../stack/lxd-cloud.ts'
import { createPerson, type Person } from '../stack/people.ts'

const missing = whyNoLxd()
const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)
const random = createSeededRandom(seed)

describe.skipIf(missing)(missing ? `clusters on LXD: ${missing}` : 'clusters on LXD', () => {
  let lxd: LxdServer
  let server: ServerProcess
  let person: Person
  beforeAll(async () => {
    lxd = await startLxdServer()
    server = await startLxdServerProcess(singleAccess(lxd))
    person = await createPerson(server.url)
  })
  afterAll(async () => {
    await server?.dispose()
    await lxd?.dispose()
  })

  /** Ids of the instances whose containers run. */
  const running = () => [...lxd.daemon.containers().keys()].map((name) => name.replace(/^atoll_in-/, 'in_')).sort()
  const inside = (instanceId: string, ...command: string[]) =>
    lxd.daemon.runInside(instanceId.replace('_', '-'), command).trim()

  describe('one that is created', () => {
    let cluster: Resource
    beforeAll(async () => {
      cluster = await createRunningCluster(person.api)
    })

    it('runs in one container with the limits of its offering, which it sees as its own', async () => {
      const { instanceId, cpuCoreCount, memorySize } = cluster
      expect(running()).toEqual([instanceId])
      expect(inside(instanceId, 'nproc')).toBe(String(cpuCoreCount))
      const limit = Number(inside(instanceId, 'node', '-p', 'process.constrainedMemory()'))
      expect(limit).toBeGreaterThan(0)
      expect(limit).toBeLessThanOrEqual(memorySize * 1024 * 1024)
      // The console shows none of it as the machine's, either.
      const { latest } = await until('a measurement', async () => {
        const [master] = (await person.api.ask(instanceDetails, { clusterId: cluster.clusterId })).data
        return master?.latest ? { latest: master.latest } : undefined
      })
      expect(latest.memoryTotal).toBe(memorySize * 1024 * 1024)
      expect(latest.memoryUsed).toBeGreaterThan(1024 * 1024)
      expect(latest.memoryUsed).toBeLessThan(latest.memoryTotal)
      // The image brings restic: its backups need nothing more.
      const restic = await until('the agent reports its restic', async () => {
        const { machines } = await person.api.ask(backupList, {})
        return machines.find(({ clusterId }) => clusterId === cluster.clusterId)?.restic ?? undefined
      })
      expect(restic).toMatch(/^\d+\.\d+/)
    })

    it('is activated by its owner through the edge', async () => {
      const { password } = await person.api.ask(clusterActivation, { clusterId: cluster.clusterId })
      const ask = (path: string, body: object) => visit(server, cluster.url ?? '', { method: 'POST', path, body })
      const begun = (await ask('/api/activation/begin', { password })).json as ActivationBegun
      const approval = person.wallet.approval(person.wallet.read(begun.signRequest))
      expect((await ask('/api/activation/approve', approval)).json).toMatchObject({ code: 200 })
      const finish = { ticket: begun.ticket, newPassword: 'coral and sand' }
      expect((await ask('/api/activation/finish', finish)).status).toBe(200)
      await waitForStatus(person.api, cluster.clusterId, ['running'])
      expect((await visit(server, cluster.url ?? '', { path: '/api/status' })).json).toMatchObject({ active: true })
    })

    it('stops, starts and restarts with what is in it', async () => {
      const { clusterId, instanceId } = cluster
      await person.api.ask(clusterStop, { clusterId })
      await waitForStatus(person.api, clusterId, ['stopped'])
      expect(running()).toEqual([])
      await person.api.ask(clusterStart, { clusterId })
      await waitForStatus(person.api, clusterId, ['running'])
      const init = lxd.daemon.containers().get(`atoll_${instanceId.replace('_', '-')}`)
      await person.api.ask(clusterRestart, { clusterId })
      await waitForStatus(person.api, clusterId, ['running'])
      expect(running()).toEqual([instanceId])
      expect(lxd.daemon.containers().get(`atoll_${instanceId.replace('_', '-')}`)).not.toBe(init)
      expect((await visit(server, cluster.url ?? '', { path: '/api/status' })).json).toMatchObject({ active: true })
    })

    it('starts again when its container dies, as soon as LXD reports it', async () => {
      const { clusterId, instanceId } = cluster
      const name = `atoll_${instanceId.replace('_', '-')}`
      const init = lxd.daemon.containers().get(name) ?? 0
      process.kill(init, 'SIGKILL')
      // Far sooner than the sweep reconciles clusters at rest (ten minutes).
      await until('another container of the same instance', () => {
        const now = lxd.daemon.containers().get(name)
        return now !== undefined && now !== init
      })
      await until('the recovery has ended well', async () => {
        const [latest] = await listOperations(person.api, clusterId)
        return latest?.kind === 'recover' && latest.state === 'done'
      })
      expect((await findCluster(person.api, clusterId))?.status).toBe('running')
    })

    it('gets workers and loses them again', async () => {
      const { clusterId, instanceId } = cluster
      const { instanceIds } = await person.api.ask(createWorker, { clusterId, offering: 'reef-1', quantity: 2 })
      const worker = instanceIds[0] ?? ''
      const statusesOf = async () => (await person.api.ask(workerList, { clusterId })).map(({ status }) => status)
      await until('both workers run', async () => (await statusesOf()).join() === 'running,running')
      expect(running()).toEqual([instanceId, ...instanceIds].sort())
      await person.api.ask(destroyWorker, { clusterId, instanceId: worker })
      await until('one worker is left', async () => (await statusesOf()).join() === 'running')
      expect(running()).not.toContain(worker)
    })

    it('is destroyed with everything of it', async () => {
      await person.api.ask(destroyMaster, { clusterId: cluster.clusterId, confirm: true })
      await waitUntilGone(person.api, cluster.clusterId)
      expect(lxd.daemon.run('lxc', ['list', '--project', 'atoll', '--format', 'csv']).trim()).toBe('')
    })
  })

  it('a server killed during a create leaves one instance or none', async () => {
    const { api } = person
    const order = await composeOrder(api, { requestId: `lxd-crash-${seed}` })
    const { answer } = await crashDuring({
      server,
      scope: 'server',
      // Over the whole way: the request, the image, the container, the install.
      point: { at: 'delay', ms: random.between(0, 1200) },
      send: () => api.send(createCluster, order),
      find: async () => undefined,
    })
    const { clusterId } = createCluster.data.parse(answer.data)
    const { instanceId } = await waitForStatus(api, clusterId, ['inactivated'])
    expect(running()).toEqual([instanceId])
    await api.ask(destroyMaster, { clusterId, confirm: true })
    await waitUntilGone(api, clusterId)
    expect(running()).toEqual([])
    expect(await findCluster(api, clusterId)).toBeUndefined()
  })
})
