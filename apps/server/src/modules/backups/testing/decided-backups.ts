/** Backups in any state that their rows can have, and what the database would hold after changes to them. */
import { defaultKeepOf } from '@atoll/contract/backups'
import fc from 'fast-check'
import type { AgentRow, AgentTask } from '../../agents/index.ts'
import type { Change } from '../reconcile/changes.ts'
import { type BackupFacts, type BackupMachine, isSilent } from '../reconcile/facts.ts'
import type { ClusterRestoreRow } from '../records/cluster-restore-store.ts'
import type { BackupRow, ChoreRow, ProofRow, RestoreRow, SnapshotRow } from '../tables.ts'

const now = new Date('2028-06-01T12:00:00Z')
const hourMs = 3600_000
const box = 'e30..AAAA.AAAA.AAAA'
const snapshotName = 'a'.repeat(64)

/** From 60 days ago to two days ahead. */
const time = fc.integer({ min: -60 * 24, max: 48 }).map((hours) => new Date(now.getTime() + hours * hourMs))
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined })
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const flag = fc.boolean()

const agent: fc.Arbitrary<AgentRow> = fc
  .record({ connected: flag, lastSeenAt: time, restic: orNull(fc.constant('0.18.0')), mayReseal: flag })
  .map(({ connected, lastSeenAt, restic, mayReseal }) => {
    const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) } as const
    const backups = { restic, key, mayReseal }
    return { instanceId: 'in_master0000', connected, lastSeenAt, backups } as unknown as AgentRow // all that is decided by
  })
const machine: fc.Arbitrary<BackupMachine> = fc
  .record({ isThere: flag, agent: maybe(agent) })
  .map(({ isThere, agent: found }) => {
    if (!isThere) return { instanceId: undefined, agent: undefined, isLost: true }
    return { instanceId: 'in_master0000', agent: found, isLost: isSilent(found, now, now) }
  })

const results = {
  run: {
    outcome: 'done',
    snapshotId: snapshotName,
    files: 12,
    bytes: 34_000,
    newBytes: 5_000,
    durationMs: 9,
    unreadFiles: 0,
  },
  restore: { outcome: 'done', files: 12, bytes: 34_000, durationMs: 9, folder: null },
  chore: { outcome: 'done', durationMs: 9, left: 0, root: 'b'.repeat(64), files: 12, bytes: 9, warnings: 0, box },
}
function taskOf(id: string, result: Record<string, unknown>): fc.Arbitrary<AgentTask> {
  const failure = fc.constantFrom(
    'wrong_password',
    'no_password',
    'quota',
    'damaged',
    'failed',
    'bad_path',
    'unreachable',
  )
  const failed = failure.map((each) => ({ outcome: 'failed', failure: each, text: 'restic said so' }))
  return fc
    .record({
      state: fc.constantFrom('offered', 'running', 'done', 'failed', 'canceled'),
      isCancelAsked: flag,
      result: fc.oneof(fc.constant(result), failed, fc.constant({})),
      instanceId: fc.constantFrom('in_master0000', 'in_former0000'),
    })
    .map((task) => ({ ...task, id, kind: 'backup.run', params: {}, progress: null, reason: null }))
}

const backup = fc
  .record({
    state: fc.constantFrom('active', 'paused', 'deleting'),
    box: orNull(fc.constant(box)),
    password: fc.constantFrom('missing', 'given', 'kept', 'wrong'),
    new_box: orNull(fc.constant(box)),
    old_key: orNull(fc.constant('c'.repeat(64))),
    has_repository: flag,
    next_at: orNull(time),
    pruned_at: orNull(time),
    deleted_at: orNull(time),
    damaged_at: orNull(time),
    sound_at: orNull(time),
    prove_state: fc.constantFrom(null, 'asked', 'reading', 'hashing'),
    prove_since: orNull(time),
    alarm: fc.constantFrom(null, 'shrink', 'rewrite'),
    look_at: orNull(time),
    cluster_id: fc.constantFrom('cl_own000000', 'cl_other0000'),
  })
  .map((row) => ({
    ...row,
    id: 'bk_one',
    owner: 'ac_one',
    name: 'Everything',
    repo_id: 'vr_one',
    paths: ['/'],
    schedule: { every: 'day', at: '03:00' },
    time_zone: 'Europe/Berlin',
    keep: defaultKeepOf({ every: 'day' }),
    slots_until: new Date(now.getTime() - 30 * hourMs),
    created_at: new Date(now.getTime() - 90 * 24 * hourMs),
    former_clusters: [],
    troubles: {},
    prove_reason: null,
    new_box_reason: null,
    move_to: null,
  })) as unknown as fc.Arbitrary<BackupRow> // all that is decided by

const open = { backup_id: 'bk_one', owner: 'ac_one', reason: null, ended_at: null, started_at: null, running_at: null }
const runState = fc.constantFrom('Pending', 'Started', 'Running')
const run = fc.record({ state: runState, cancel_asked: flag, created_at: time }).map(({ state, ...row }) => ({
  ...open,
  ...row,
  state,
  id: 'sn_run',
  paths: ['/'],
  task_id: state === 'Pending' ? null : 'at_run',
})) as unknown as fc.Arbitrary<SnapshotRow> // as above
function restoreOf(id: string, ways: readonly string[]) {
  return fc
    .record({
      state: runState,
      cancel_asked: flag,
      way: fc.constantFrom(...ways),
      box: orNull(fc.constant(box)),
      choice: orNull(fc.constant(box)),
      needs_password: flag,
      reader_cluster_id: fc.constantFrom(null, 'cl_other0000'),
      created_at: time,
    })
    .map(({ state, ...row }) => ({
      ...open,
      ...row,
      state,
      id,
      snapshot_id: 'sn_old',
      after_snapshot_id: null,
      target_cluster_id: 'cl_other0000',
      task_id: state === 'Pending' ? null : `at_${id}`,
    })) as unknown as fc.Arbitrary<RestoreRow & ClusterRestoreRow> // as above
}
const chore = fc
  .record({
    kind: fc.constantFrom('prune', 'check', 'drill', 'password'),
    created_at: time,
    cancel_asked: flag,
    isElsewhere: flag,
    reseal_task_id: orNull(fc.constant('at_chore')),
  })
  .map(({ isElsewhere, ...row }) => {
    const drill_cluster_id = row.kind === 'drill' && isElsewhere ? 'cl_drill0000' : null
    const task_id = drill_cluster_id === null ? 'at_chore' : null
    return { ...open, ...row, id: 'bc_one', snapshots: ['sn_old'], part: 1, parts: 1, drill_cluster_id, task_id }
  }) as unknown as fc.Arbitrary<ChoreRow> // as above

const kept = {
  ...open,
  id: 'sn_old',
  state: 'Completed',
  paths: ['/'],
  restic_id: snapshotName,
  tree_root: 'b'.repeat(64),
  tree_files: 12,
  tree_apart: [],
  size: 34_000,
  received_at: now,
  forgotten_at: null,
} as unknown as SnapshotRow & { tree_root: string; restic_id: string; received_at: Date } // as above
const file = { name: snapshotName, bytes: 400, storedAt: now, isFound: true }
const lastChore = maybe(fc.record({ reason: orNull(fc.constant('{"key":"backupDamaged"}')), ended_at: orNull(time) }))

/** Facts as `loadFacts` may read them. */
export const facts: fc.Arbitrary<BackupFacts> = fc
  .record({
    backup,
    machine,
    run: maybe(run),
    restore: maybe(restoreOf('rs_one', ['newFolder', 'beside', 'replace'])),
    chore: maybe(chore),
    tasks: fc.tuple(
      taskOf('at_run', results.run),
      taskOf('at_rs_one', results.restore),
      taskOf('at_chore', results.chore),
    ),
    clusterTask: maybe(taskOf('at_rs_new', results.restore)),
    reader: machine,
    safetyRun: maybe(
      fc.constantFrom('Completed', 'Canceled', 'Failed').map((state) => ({ ...kept, state, ended_at: now })),
    ),
    isFull: flag,
    isSuspended: flag,
    files: fc.constantFrom([], [file]),
    unnamed: fc.constantFrom([], [file]),
    unhashed: fc.constantFrom(0, 3),
    damage: maybe(time.map((at) => ({ at, reason: '{"key":"backupDamaged"}' }) as ProofRow)),
    isSound: flag,
    activated: fc.constantFrom([], [{ restoreId: 'rs_done', clusterId: 'cl_other0000', others: [] }]),
    clusterRestore: maybe(restoreOf('rs_new', ['newCluster'])),
    clusterMachine: machine,
    hasActiveKin: flag,
    isHeld: flag,
    resumedAt: maybe(time),
    oldestKey: maybe(fc.constant('c'.repeat(64))),
    remove: fc.constantFrom([], [{ id: 'sn_old', restic_id: snapshotName }]),
    unpruned: maybe(fc.record({ isShort: flag, isAtReserve: flag, maxMoved: maybe(fc.constant(0)) })),
    lastPrune: lastChore,
    lastCheck: lastChore,
    nextCheckAt: maybe(time),
    nextDrillAt: maybe(time),
    drillable: maybe(fc.constant(kept)),
    drillMachine: maybe(fc.constant({ instanceId: 'in_drill00000', failure: null })),
    drillAgent: maybe(agent),
  })
  .map(
    ({
      machine: own,
      remove,
      unpruned,
      lastPrune,
      clusterRestore,
      clusterMachine,
      clusterTask,
      hasActiveKin,
      ...rest
    }) => ({
      ...own,
      ...rest,
      at: now,
      product: 'Atoll',
      newTaskId: 'at_new0',
      tasks: new Map([...rest.tasks, ...(clusterTask ? [clusterTask] : [])].map((task) => [task.id, task])),
      blamed: new Map(),
      restored: kept,
      earlierRuns: [{ bytes: 900_000, files: 400, newBytes: 10 }],
      clusterRestores: clusterRestore
        ? [{ row: clusterRestore, machine: clusterMachine, task: clusterTask, snapshot: kept, hasActiveKin }]
        : [],
      nextKey: undefined,
      upkeep: { remove, lastPrune, unpruned },
      reads: [],
      parts: 1,
      drilledSnapshot: kept,
      lastDrill: undefined,
    }),
  )

/** The facts after `changes`, as they would be read. */
export function carryOut(known: BackupFacts, changes: readonly Change[]): BackupFacts {
  const tasks = new Map(known.tasks)
  let next: BackupFacts = { ...known, tasks }
  for (const change of changes) next = { ...next, ...after(next, tasks, change) }
  const clusterRestores = next.clusterRestores.map((each) => ({ ...each, task: tasks.get(each.row.task_id ?? '') }))
  const number = Number(known.newTaskId.slice('at_new'.length))
  return { ...next, clusterRestores, newTaskId: `at_new${number + 1}` }
}

function after(known: BackupFacts, tasks: Map<string, AgentTask>, change: Change): Partial<BackupFacts> {
  const { run, restore, chore } = known
  switch (change.kind) {
    case 'saveBackup': {
      const { troubles, ...set } = change.set
      const told = troubles === undefined ? {} : { troubles: JSON.parse(troubles) }
      return { backup: { ...known.backup, ...(set as object), ...told } }
    }
    case 'saveRun':
      return run?.id === change.id ? { run: stillOpen({ ...run, ...(change.set as object) }) } : {}
    case 'saveRestore':
      return saveRestore(known, change)
    case 'saveChore':
      return chore?.id === change.id ? { chore: stillOpen({ ...chore, ...(change.set as object) }) } : {}
    case 'insertRun':
      return { run: { ...newRun, created_at: known.at } }
    case 'insertSafetyRun':
      return {
        run: { ...newRun, created_at: known.at },
        safetyRun: newRun,
        ...(restore && { restore: { ...restore, after_snapshot_id: newRun.id } }),
      }
    case 'insertChore':
      return { chore: { ...newChore, ...change.chore, created_at: known.at }, nextDrillAt: undefined }
    case 'insertFound':
      return { unnamed: [] }
    case 'forget':
      return known.upkeep ? { upkeep: { ...known.upkeep, remove: [] } } : {}
    case 'requestTask': {
      const { taskId: id, instanceId } = change
      const task = { id, instanceId, kind: change.task.kind, params: {}, progress: null, result: null, reason: null }
      tasks.set(id, { ...task, state: 'offered', isCancelAsked: false })
      return {}
    }
    case 'endTask':
    case 'cancelTask': {
      const task = tasks.get(change.taskId)
      if (task) tasks.set(task.id, { ...task, isCancelAsked: true })
      return {}
    }
    default:
      return {}
  }
}

const newRun = { ...kept, id: 'sn_new', state: 'Pending', task_id: null, ended_at: null, cancel_asked: false } as const
const newChore = {
  ...open,
  id: 'bc_new',
  cancel_asked: false,
  reseal_task_id: null,
  drill_cluster_id: null,
} as unknown as ChoreRow // the change has the rest

function stillOpen<Row extends { ended_at: Date | null }>(row: Row): Row | undefined {
  return row.ended_at === null ? row : undefined
}

function saveRestore(
  { restore, activated, clusterRestores }: BackupFacts,
  { id, set }: Extract<Change, { kind: 'saveRestore' }>,
): Partial<BackupFacts> {
  const changed = set as object
  if (restore?.id === id) return { restore: stillOpen({ ...restore, ...changed }) }
  const others = clusterRestores.flatMap((each) => {
    const row =
      each.row.id === id
        ? stillOpen({ ...each.row, ...changed, target_cluster_id: each.row.target_cluster_id })
        : each.row
    return row ? [{ ...each, row }] : []
  })
  return { activated: activated.filter(({ restoreId }) => restoreId !== id), clusterRestores: others }
}
