/**
 * The crash matrix of clusters: a worker is killed at every boundary of every operation, with a provider that fails now
 * and then. The next worker knows only what the database and the provider show.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { runCrashing } from '../../../testing/run-crashing.ts'
import { usd } from '../../billing/testing/billing-harness.ts'
import { boundProvider } from '../../compute/provider/bounded-provider.ts'
import { createFolderProvider, listFolder, readInstance } from '../../compute/testing/folder-provider.ts'
import { postToLedger } from '../../ledger/index.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { beginMove } from '../commands/instance-move.ts'
import { removeWorker } from '../commands/machines/instance-removal.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import { clusterSweep } from '../sweep/sweep.ts'
import { countBoundaries, runToBoundary } from './boundary-pool.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from './cluster-harness.ts'
import type { CrashingWorkerOptions } from './crashing-worker.ts'
import { folderAgents } from './folder-agents.ts'
import { stumbleTimeoutMs, stumblingProvider } from './stumbling-provider.ts'

const workerProgram = fileURLToPath(new URL('crashing-worker.ts', import.meta.url))
let folder: string
/** Brings clusters to where an operation begins, quickly. */
let quick: ClusterHarness
/** The worker after the one that died. */
let next: ReturnType<typeof buildNext>

function buildNext(harness: ClusterHarness) {
  return harness.sibling({
    provider: boundProvider(stumblingProvider(folder), stumbleTimeoutMs),
    wrapPool: countBoundaries,
  })
}

/** For a test file: a folder of instances and workers on it, there for all of its tests. */
export function useClusterCrashes() {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atoll-crash-'))
    quick = await createClusterHarness({ provider: createFolderProvider(folder), agents: folderAgents(folder) })
    next = buildNext(quick)
  })
  afterAll(async () => {
    await next.database.close()
    await quick[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  return { killAnywhere, killTwice, expectNoneLeftOver }
}

export const crashOperations = [
  ...([
    'create',
    'stop',
    'start',
    'restart',
    'move',
    'moveStopped',
    'destroyMaster',
    'addWorker',
    'destroyWorker',
  ] as const),
  // Operations that bills cause.
  ...(['pay', 'settle', 'giveUp'] as const),
] as const
type Operation = (typeof crashOperations)[number]

/** A cluster for which `operation` was just asked. */
async function prepare(operation: Operation): Promise<string> {
  const owner = await quick.newOwner()
  const caller = callerOf(owner)
  const isBilled = operation === 'pay' || operation === 'settle' || operation === 'giveUp'
  const order = { ...testOrder, offering: isBilled ? 'bay' : testOrder.offering }
  const { clusterId, invoiceId } = await orderCluster(quick.deps, caller, order)
  if (isBilled) await payFromCredit(owner, invoiceId ?? '')
  if (operation === 'create' || operation === 'pay') return clusterId
  await quick.settle(clusterId)
  if (isBilled) {
    await stand(clusterId, 'past_due')
    await quick.settle(clusterId)
    await stand(clusterId, operation === 'settle' ? 'active' : 'ended')
    return clusterId
  }
  const ask = (action: 'start' | 'stop' | 'restart' | 'destroyMaster') =>
    requestAction(quick.deps, caller, { call: action, action, body: { clusterId } })
  if (operation === 'addWorker' || operation === 'destroyWorker') {
    const { instanceIds } = await addWorkers(quick.deps, caller, { clusterId, offering: 'small', quantity: 1 })
    if (operation === 'addWorker') return clusterId
    await quick.settle(clusterId)
    await removeWorker(quick.deps, caller, { clusterId, instanceId: instanceIds[0] ?? '', drain: true })
    return clusterId
  }
  if (operation === 'start' || operation === 'moveStopped') {
    await ask('stop')
    await quick.settle(clusterId)
  }
  if (operation === 'move' || operation === 'moveStopped') {
    const { master } = await quick.rows(clusterId)
    const asked = { clusterId, instanceId: master.id, member: 'elsewhere' }
    expect(await quick.db.transaction().execute((trx) => beginMove(quick.deps, trx, asked))).toBe(true)
    return clusterId
  }
  await ask(operation)
  return clusterId
}

async function payFromCredit(owner: string, invoiceId: string): Promise<void> {
  const at = new Date()
  await quick.db.transaction().execute(async (trx) => {
    await quick.deps.accounts.lockLimits(trx, owner)
    const facts = { amount: usd(1440) }
    await postToLedger(trx, { userid: owner, at, document: 'credit', key: newId('gr'), kind: 'adjust', facts })
    await quick.billing.pay(trx, { userid: owner, invoiceId, at, method: null })
  })
}

/** Writes the states that dunning writes: overdue, settled, or given up on. */
async function stand(clusterId: string, state: 'past_due' | 'active' | 'ended'): Promise<void> {
  await quick.database.pool.query(
    `update subscription_items set state = $2, ended_at = case when $2 = 'ended' then now() end
      where subscription_id in (select id from subscriptions where cluster_id = $1)`,
    [clusterId, state],
  )
}

/** The expected end: status and number of boots of the master, and the same of a worker. */
const ends = {
  create: { master: ['running', 1] },
  stop: { master: ['stopped', 1] },
  start: { master: ['running', 2] },
  restart: { master: ['running', 2] },
  move: { master: ['running', 2, 'elsewhere'] },
  moveStopped: { master: ['stopped', 1, 'elsewhere'] },
  destroyMaster: { master: ['destroyed', undefined] },
  addWorker: { master: ['running', 1], worker: ['running', 1] },
  destroyWorker: { master: ['running', 1], worker: ['destroyed', undefined] },
  pay: { master: ['running', 1] },
  settle: { master: ['running', 2] },
  giveUp: { master: ['destroyed', undefined] },
} as const satisfies Record<Operation, { master: readonly unknown[]; worker?: readonly unknown[] }>

/** Runs a worker that dies with each cluster at its boundary; gives those that had not come to rest. */
async function die(boundaries: Record<string, number>): Promise<string[]> {
  const options: CrashingWorkerOptions = { databaseUrl: quick.databaseUrl, folder, boundaries }
  const atWork = await runCrashing(workerProgram, options)
  // PostgreSQL ends the connections of who died when it notices; until then their locks hold the next worker off.
  const held = `select from pg_locks join pg_database d on d.oid = database
    where locktype = 'advisory' and datname = current_database()`
  await expect.poll(async () => (await quick.database.pool.query(held)).rowCount).toBe(0)
  return atWork
}

async function expectEnd(clusterId: string, operation: Operation): Promise<void> {
  const { master, workers, operations: done } = await quick.rows(clusterId)
  const sight = ({ id, status }: typeof master) => {
    const instance = readInstance(folder, id)
    return [status, instance?.boots, ...(instance?.member === undefined ? [] : [instance.member])]
  }
  const seen = { master: sight(master), ...(workers[0] && { worker: sight(workers[0]) }) }
  expect(seen).toEqual(ends[operation])
  // Of a move nothing is left, and the row says where the instance is.
  expect([master.move_to, master.member]).toEqual([null, readInstance(folder, master.id)?.member ?? null])
  expect(done.map(({ state }) => state)).not.toContain('running')
  expect(done.at(-1)).toMatchObject({ state: 'done', error: null })
}

/** Kills a worker at every boundary of `operation`: the next one finishes it, with one instance or none. */
async function killAnywhere(operation: Operation): Promise<void> {
  const model = await prepare(operation)
  const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, () => next.settle(model))
  await expectEnd(model, operation)
  expect(passed).toBeGreaterThan(6)
  // Retries take steps of their own: some more than the undisturbed run needed.
  const clusters = await Promise.all(Array.from({ length: passed + 2 }, () => prepare(operation)))
  const boundaries = Object.fromEntries(clusters.map((clusterId, at) => [clusterId, at + 1]))
  const stopped = await die(boundaries)
  expect(stopped).toEqual(expect.arrayContaining(clusters.slice(0, passed - 2)))
  await Promise.all(clusters.map((clusterId) => next.settle(clusterId)))
  for (const clusterId of clusters) await expectEnd(clusterId, operation)
}

/** Kills the worker after the one that was killed too, at each later boundary after an earlier one. */
async function killTwice(): Promise<void> {
  const clusters = await Promise.all(Array.from({ length: 20 }, () => prepare('create')))
  await die(Object.fromEntries(clusters.map((clusterId, at) => [clusterId, at + 1])))
  await die(Object.fromEntries(clusters.map((clusterId, at) => [clusterId, ((at * 7) % 20) + 1])))
  await Promise.all(clusters.map((clusterId) => next.settle(clusterId)))
  for (const clusterId of clusters) await expectEnd(clusterId, 'create')
}

/** After the others: each of at least `least` instances has its row, and each row its instance. */
async function expectNoneLeftOver(least: number): Promise<void> {
  await clusterSweep(quick.deps).run({}, quick.jobContext())
  const rows = await quick.db.selectFrom('instances').select('id').where('status', 'not in', endedStatuses).execute()
  expect(rows.length).toBeGreaterThan(least)
  expect(listFolder(folder).sort()).toEqual(rows.map(({ id }) => id).sort())
}
