import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { createProcessProvider } from '../compute/drivers/process/process-provider.ts'
import { findProcessesWith } from '../compute/drivers/process/process-table.ts'
import { type AskedAction, requestAction } from './cluster-actions.ts'
import { orderCluster } from './cluster-create.ts'
import { sweepOrphans } from './jobs/cluster-sweep.ts'
import { getDeployment } from './reconcile-store.ts'
import { type ClusterWorld, callerOf, createClusterWorld, testOrder } from './testing/cluster-world.ts'
import type { DoomedWorkerOptions } from './testing/doomed-worker.ts'
import { folderAgents } from './testing/folder-agents.ts'

const program = fileURLToPath(new URL('../compute/testing/fixture-agent.ts', import.meta.url))
const workerProgram = fileURLToPath(new URL('testing/doomed-worker.ts', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'atoll-crash-'))
const provider = createProcessProvider({ dataDir, program, log: silentLog, graceMs: 200 })
let world: ClusterWorld

beforeAll(async () => {
  world = await createClusterWorld({ provider, agents: folderAgents(dataDir) })
})
afterAll(async () => {
  for (const id of await provider.list(await getDeployment(world.db))) await provider.destroy(id)
  await world[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs a worker on the cluster; true when it was killed, false when it brought the cluster to rest first. */
async function isKilledAt(clusterId: string, boundary: number): Promise<boolean> {
  const options: DoomedWorkerOptions = { databaseUrl: world.databaseUrl, dataDir, program, clusterId, boundary }
  const child = spawn(process.execPath, [workerProgram, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const [code, signal] = await once(child, 'close')
  if (signal === 'SIGKILL') return true
  expect(complaint).toBe('')
  expect(code).toBe(0)
  return false
}

function countProcesses(instanceId: string): number {
  return findProcessesWith([`ATOLL_AGENT_HOME=${join(dataDir, 'instances', instanceId)}`]).length
}

/** A cluster brought to the status from which `action` is asked. */
async function prepare(action: AskedAction | 'create'): Promise<{ owner: string; clusterId: string }> {
  const owner = await world.newOwner()
  const { clusterId } = await orderCluster(world.deps, callerOf(owner), testOrder)
  if (action === 'create') return { owner, clusterId }
  await world.settle(clusterId)
  if (action === 'start') {
    await requestAction(world.deps, callerOf(owner), { call: 'stop', action: 'stop', body: { clusterId } })
    await world.settle(clusterId)
  }
  await requestAction(world.deps, callerOf(owner), { call: action, action, body: { clusterId } })
  return { owner, clusterId }
}

const ends = {
  create: 'running',
  stop: 'stopped',
  start: 'running',
  restart: 'running',
  destroyMaster: 'destroyed',
} as const

describe('a worker killed at every boundary', () => {
  test.each(['create', 'stop', 'start', 'restart', 'destroyMaster'] as const)(
    'of %s: the next one finishes, with one instance or none',
    async (action) => {
      let boundary = 1
      for (let killed = true; killed; boundary += 1) {
        const { clusterId } = await prepare(action)
        const { master } = await world.rows(clusterId)
        killed = await isKilledAt(clusterId, boundary)
        expect(countProcesses(master.id)).toBeLessThanOrEqual(1)
        // The next worker; it knows nothing of the one that died but what the database and the machine show.
        if (killed) await world.settle(clusterId)
        const { cluster, operations } = await world.rows(clusterId)
        expect([boundary, cluster.status]).toEqual([boundary, ends[action]])
        expect(operations.map((operation) => operation.state)).not.toContain('running')
        expect(operations.at(-1)).toMatchObject({ state: 'done', error: null })
        const isUp = ends[action] === 'running'
        await expect.poll(() => countProcesses(master.id)).toBe(isUp ? 1 : 0)
        const present = await provider.list(await getDeployment(world.db))
        expect(present.includes(master.id)).toBe(ends[action] !== 'destroyed')
        await provider.destroy(master.id)
      }
      // The loop ends when a boundary lies beyond the last one: it must have passed some.
      expect(boundary).toBeGreaterThan(6)
    },
    180_000,
  )

  test('and again at the boundary after, still one instance', async () => {
    const { clusterId } = await prepare('create')
    const { master } = await world.rows(clusterId)
    let boundary = 1
    while (await isKilledAt(clusterId, boundary)) {
      expect(countProcesses(master.id)).toBeLessThanOrEqual(1)
      boundary += 1
      expect(boundary).toBeLessThan(60)
    }
    expect((await world.rows(clusterId)).cluster).toMatchObject({ status: 'running', error: null })
    expect(countProcesses(master.id)).toBe(1)
  }, 60_000)

  test('leaves living instances that the sweep leaves alone', async () => {
    const { clusterId } = await prepare('create')
    await world.settle(clusterId)
    const { master } = await world.rows(clusterId)
    await sweepOrphans(world.db, provider, await provider.list(await getDeployment(world.db)), silentLog)
    expect(countProcesses(master.id)).toBe(1)
  })
})
