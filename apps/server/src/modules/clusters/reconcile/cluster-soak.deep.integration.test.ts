/**
 * The soak: operations at random on clusters and workers, on a provider that misbehaves, by workers that are killed at
 * random. The seed is printed; `SOAK_SEED` repeats its choices, though not the moments at which they meet.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClusterAction, type InstanceAction, operationKinds } from '@atoll/contract/clusters'
import { createSeededRandom } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundledProgram } from '../../../../../../scripts/testing/bundled-program.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { createFolderProvider, listFolder, readInstance, writeInstance } from '../../compute/testing/folder-provider.ts'
import type { Deadlines } from '../cluster-deps.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { keepInstance } from '../commands/destroy-confirm.ts'
import { repairInstance } from '../commands/instance-repair.ts'
import { cancelWaiting, removeWorker } from '../commands/machines/instance-removal.ts'
import { giveUpMachine, takeMachineBack } from '../commands/machines/machine-give-up.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'
import { endedStatuses, listInstances } from '../instances/instance-store.ts'
import { enqueueReconcile } from '../instances/reconcile-store.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { offerOfCluster, offerOfInstance } from '../lifecycle/action-refusals.ts'
import { isRemoval, isTransitioning } from '../lifecycle/cluster-state.ts'
import { clusterSweep } from '../sweep/sweep.ts'
import type { InstanceRow } from '../tables.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { folderAgents } from '../testing/folder-agents.ts'
import type { SoakWorkerOptions } from '../testing/soak-worker.ts'

const operationsWanted = 160
const clustersAtOnce = 16
const deadlineMs = 6000

const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const random = createSeededRandom(seed)
const workerProgram = fileURLToPath(new URL('../testing/soak-worker.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'atoll-soak-'))
let harness: ClusterHarness
let worker: ChildProcess | undefined
let kills = 0

beforeAll(async () => {
  const deadlines = Object.fromEntries(operationKinds.map((kind) => [kind, deadlineMs])) as Deadlines
  harness = await createClusterHarness({
    provider: createFolderProvider(folder),
    agents: folderAgents(folder),
    deadlines,
  })
})
afterAll(async () => {
  await harness[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function startWorker(): Promise<void> {
  const options: SoakWorkerOptions = { databaseUrl: harness.databaseUrl, folder, seed: seed + kills, deadlineMs }
  const started = spawn(process.execPath, [await bundledProgram(workerProgram), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Also where the test fails half-way and is tried again: a worker that is left would hold this process's output.
  onTestFinished(() => void started.kill('SIGKILL'))
  worker = started
  if (worker.stdout) await once(worker.stdout, 'data')
}

async function killWorker(): Promise<void> {
  if (!worker) return
  const closed = once(worker, 'close')
  worker.kill('SIGKILL')
  const [, signal] = await closed
  expect(signal).toBe('SIGKILL')
  kills += 1
}

interface Cluster {
  id: string
  owner: string
}

/** Asks for something that is offered now; false when nothing was, or when somebody was faster. */
async function act(cluster: Cluster): Promise<boolean> {
  const caller = callerOf(cluster.owner)
  const row = await harness.db.selectFrom('clusters').selectAll().where('id', '=', cluster.id).executeTakeFirstOrThrow()
  const instances = await listInstances(harness.db, cluster.id)
  const master = instances.find(({ role }) => role === 'master')
  if (!master) return false
  const facts = clusterFactsOf(harness.deps, row, caller, instances)
  const onCluster = offerOfCluster(master, facts, 'en-US').actions
  const workers = instances.filter(({ role }) => role === 'worker')
  const onWorkers = workers.flatMap((instance) =>
    offerOfInstance(instance, instanceFactsOf(row, instance), 'en-US').actions.map((action) => ({ instance, action })),
  )
  const requests = [
    ...onCluster.filter((action) => action !== 'activate').map((action) => () => actOnCluster(action)),
    ...onWorkers.map(
      ({ instance, action }) =>
        () =>
          actOnWorker(instance, action),
    ),
  ]
  const [first, ...rest] = requests
  if (!first) return false
  try {
    await random.pick([first, ...rest])()
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }

  async function actOnCluster(action: ClusterAction): Promise<unknown> {
    const body = { clusterId: cluster.id }
    if (action === 'addWorker') {
      return await addWorkers(harness.deps, caller, { ...body, offering: 'small', quantity: random.between(1, 2) })
    }
    if (action === 'cancel') return await cancelWaiting(harness.deps, caller, { instanceId: master?.id ?? '' })
    if (action === 'repair') return await repairInstance(harness.deps, caller, body)
    if (action === 'keep') return await keepInstance(harness.deps, caller, body)
    if (action === 'giveUp') return await giveUpMachine(harness.deps, caller, body)
    if (action === 'takeBack') return await takeMachineBack(harness.deps, caller, body)
    if (action === 'cancelUnpaid' || action === 'activate' || action === 'replaceMachine')
      throw new Error(`${action} was chosen`)
    // Every sixth only: a destroyed cluster takes its workers with it.
    if (action === 'destroyMaster' && random.between(1, 6) > 1) return await lose(instances)
    return await requestAction(harness.deps, caller, { call: action, action, body })
  }

  async function actOnWorker(instance: InstanceRow, action: InstanceAction): Promise<unknown> {
    const body = { clusterId: cluster.id, instanceId: instance.id }
    if (action === 'destroyWorker')
      return await removeWorker(harness.deps, caller, {
        ...body,
        drain: random.pick([true, false]),
        confirm: random.between(1, 4) > 1,
      })
    if (action === 'cancelInstance') return await cancelWaiting(harness.deps, caller, { instanceId: instance.id })
    if (action === 'repair') return await repairInstance(harness.deps, caller, body)
    if (action === 'keep') return await keepInstance(harness.deps, caller, body)
    return await requestAction(harness.deps, caller, { call: action, action, body })
  }
}

/** An event that nobody requests: an instance crashes, or is gone from the provider. */
async function lose(instances: readonly InstanceRow[]): Promise<void> {
  const instance = instances[random.between(0, instances.length - 1)]
  if (!instance) return
  const stored = readInstance(folder, instance.id)
  if (stored?.state !== 'running') return
  if (random.between(1, 4) === 1) await createFolderProvider(folder).destroy(stored.instanceId)
  else writeInstance(folder, { ...stored, state: 'failed' })
  await enqueueReconcile(harness.db, instance.cluster_id)
}

/**
 * Refused while the removal is under way, and once the cluster is gone. A worker whose own removal was given up is
 * destroyed by a separate request: it would be retried only minutes later, and its cluster waits for it.
 */
async function askToDestroy({ id, owner }: Cluster): Promise<void> {
  const caller = callerOf(owner)
  const givenUp = (await listInstances(harness.db, id)).filter(
    ({ role, status, resume_stack }) => role === 'worker' && status === 'errored' && isRemoval(resume_stack.at(-1)),
  )
  const body = { clusterId: id }
  const answers = await Promise.allSettled([
    requestAction(harness.deps, caller, { call: 'd', action: 'destroyMaster', body }),
    ...givenUp.map((worker) => removeWorker(harness.deps, caller, { ...body, instanceId: worker.id, drain: false })),
  ])
  for (const answer of answers) {
    if (answer.status === 'rejected' && !(answer.reason instanceof Refusal)) throw answer.reason
  }
}

async function newCluster(): Promise<Cluster> {
  const owner = await harness.newOwner()
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  return { id: clusterId, owner }
}

async function isEnded({ id }: Cluster): Promise<boolean> {
  const { status } = await harness.db
    .selectFrom('clusters')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return status === 'destroyed' || status === 'canceled'
}

/**
 * Everything that has not come to rest: running operations, and instances in transition with the jobs of their cluster.
 */
async function listMoving(): Promise<unknown[]> {
  const operations = await harness.db
    .selectFrom('operations')
    .select(['id', 'kind', 'subject_kind', 'subject_id', 'deadline_at'])
    .where('state', '=', 'running')
    .execute()
  const moving = (await listLiving()).filter(({ status }) => isTransitioning(status))
  const found = [
    ...operations.map((operation) => ({ ...operation, instance: operation.subject_id })),
    ...moving.map(({ id, status }) => ({ instance: id, status })),
  ]
  return await Promise.all(
    found.map(async (each) => ({
      ...each,
      cluster: await describeCluster(each.instance),
      jobs: await listJobs(each.instance),
    })),
  )
}

/** The cluster of an instance and its instances, each with its status. */
async function describeCluster(instanceId: string): Promise<string[]> {
  const rows = await harness.db
    .selectFrom('instances as one')
    .innerJoin('clusters', 'clusters.id', 'one.cluster_id')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select(['clusters.status as cluster', 'clusters.checked_at', 'instances.id', 'instances.status'])
    .where('one.id', '=', instanceId)
    .execute()
  return rows.map(({ cluster, checked_at, id, status }) => `${cluster}, ${checked_at?.toISOString()}: ${id} ${status}`)
}

/** The jobs that wait or run for the cluster of an instance, as the queue has them. */
async function listJobs(instanceId: string): Promise<unknown[]> {
  const { rows } = await sql`select j.* from graphile_worker._private_jobs as j, instances as i
    where i.id = ${instanceId} and j.key like '%' || i.cluster_id || '%'`.execute(harness.db)
  return rows
}

/** Instances that are said to run or to be stopped, and that the provider has otherwise. */
async function listUnlike(): Promise<unknown[]> {
  return (await listLiving()).flatMap(({ id, status }) => {
    const state = readInstance(folder, id)?.state
    return (status === 'running' || status === 'stopped') && state !== status ? [{ id, status, state }] : []
  })
}

async function listLiving(): Promise<InstanceRow[]> {
  return await harness.db.selectFrom('instances').selectAll().where('status', 'not in', endedStatuses).execute()
}

describe('a soak', () => {
  test(`of ${operationsWanted} operations with kills (seed ${seed})`, async () => {
    const clusters = await Promise.all(Array.from({ length: clustersAtOnce }, newCluster))
    let done = clusters.length
    await startWorker()
    let killAt = random.between(8, 24)
    while (done < operationsWanted) {
      const at = random.between(0, clusters.length - 1)
      const cluster = clusters[at]
      if (cluster && (await act(cluster))) done += 1
      else if (cluster && (await isEnded(cluster))) {
        clusters[at] = await newCluster()
        done += 1
      }
      if (done >= killAt) {
        await killWorker()
        await startWorker()
        killAt = done + random.between(8, 24)
      }
    }
    expect(kills).toBeGreaterThan(5)

    // Each operation ends, at its deadline at the latest, and nobody has to ask for it.
    await expect.poll(listMoving, { interval: 500 }).toEqual([])
    // Whatever failed says why.
    for (const { status, error, id } of await listLiving()) {
      if (status === 'errored') expect([id, error]).not.toEqual([id, null])
    }
    // One instance or none for each row, as the row says, once the provider answers again; and none beside.
    writeFileSync(join(folder, 'calm'), '')
    await expect.poll(listUnlike, { interval: 500 }).toEqual([])
    await killWorker()
    await clusterSweep(harness.deps).run({}, harness.jobContext())
    const named = new Set((await listLiving()).map(({ id }) => id))
    expect(listFolder(folder).filter((id) => !named.has(id))).toEqual([])
    // And from all of it there is a way out, which a person takes again where the deadline was too short for it.
    await startWorker()
    await expect
      .poll(
        async () => {
          await Promise.all(clusters.map(askToDestroy))
          return (await listLiving()).map(({ id, status, error }) => ({ id, status, error }))
        },
        { interval: 500 },
      )
      .toEqual([])
    await clusterSweep(harness.deps).run({}, harness.jobContext())
    expect(listFolder(folder)).toEqual([])
  })
})
