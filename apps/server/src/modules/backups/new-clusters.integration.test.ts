/** Restores on clusters that are made for them, with agents whose tasks the test ends. */
import { taskKinds } from '@atoll/contract/agents'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { openHarness } from '../billing/testing/billing-harness.ts'
import {
  bringBackSnapshot,
  createVault,
  findTrashUntil,
  listBadFiles,
  listSnapshotFiles,
  listTrashUntil,
  moveRepository,
  scrubLeft,
  usageOf,
} from '../vault/index.ts'
import type { BackupDeps } from './backups-deps.ts'
import { deleteBackup } from './commands/backup-change.ts'
import { createBackup } from './commands/backup-create.ts'
import { runBackup, unlockBackup } from './commands/backup-run.ts'
import { clusterRestores } from './commands/cluster-restore.ts'
import { answerMove } from './commands/plan-move.ts'
import { createBackupEvents } from './index.ts'
import { backupReconcile } from './reconcile/backup-reconcile.ts'
import { noDrillClusters } from './testing/no-drill-clusters.ts'
import { type ScriptedAgents, scriptAgents } from './testing/scripted-agents.ts'
import { getBackup, previewRetention } from './views/backup-views.ts'
import { getRestoring, getSnapshot } from './views/cluster-restore-views.ts'

const box = 'e30..AAAA.AAAA.AAAA'
const resticId = 'a'.repeat(64)
const clock = createTestClock(new Date('2028-06-01T12:00:00Z'))
const database = useDatabase()
let deps: BackupDeps
let agents: ScriptedAgents
let caller: Caller
let backupId: string
let clusterId: string
let masters: { clusterId: string; clusterName: string; instanceId: string }[]
let woken: string[]
/** Those that use the ID. */
let active: Set<string>
let snapshotId: string
/** The cluster that was backed up. */
let gone: string

/** A backup with one snapshot whose cluster is gone; another cluster, `clusterId`, has just been ordered. */
beforeEach(async () => {
  const harness = await openHarness(database, { clock })
  gone = await harness.insertCluster()
  clusterId = await harness.insertCluster()
  caller = { userid: harness.userid, did: 'did:key:zTest', sessionId: 'ss_aaaaaaaa', role: 'User', ip: '127.0.0.1' }
  agents = scriptAgents('in_newmaster0', () => clock.now())
  masters = [{ clusterId: gone, clusterName: 'Reef', instanceId: 'in_oldmaster0' }]
  woken = []
  active = new Set()
  const { db } = database
  deps = {
    db,
    clock,
    config: { vaultRuns: 10, product: 'Atoll' },
    agents: agents.face,
    listSnapshotFiles,
    usageOf,
    listBadFiles,
    scrubLeft,
    listTrashUntil,
    findTrashUntil,
    bringBackSnapshot,
    mail: { post: async () => 'ml_none' },
    onHeld: async () => undefined, // what is held is metered elsewhere
    vault: createVault({
      strayMs: 0,
      db,
      clock,
      log: silentLog,
      readQuota: async () => null,
      onDamaged: async () => undefined,
      config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1:4803', vaultDir: '/nowhere' },
    }),
    listOwnMasters: async (_, owner) => (owner === harness.userid ? masters : []),
    proveMaster: async (_, { instanceId }) => masters.find((master) => master.instanceId === instanceId),
    listClusterNames: async (_, ids) => ids.map((id) => ({ clusterId: id, clusterName: 'Reef' })),
    lockAccount: (trx, userid) =>
      trx.selectFrom('accounts').select('account_id').where('account_id', '=', userid).forNoKeyUpdate().execute(),
    quotaOf: async () => 5e9,
    cloudStore: undefined,
    ...noDrillClusters,
    findActiveCluster: async (_, ids) => {
      const clusterId = ids.find((id) => active.has(id))
      return clusterId === undefined ? undefined : { clusterId, clusterName: 'Reef' }
    },
    moveRepository,
    wakeCluster: async (_, id) => void woken.push(id),
  }
  const made = await createBackup(deps, caller, {
    clusterId: gone,
    name: 'Everything',
    paths: ['/'],
    schedule: { every: 'day', at: '03:00' },
    timeZone: 'Europe/Berlin',
    box,
    runNow: true,
    keep: { last: 2, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
  })
  backupId = made.backupId
  const at = clock.now()
  const { id } = await db
    .updateTable('snapshots')
    .set({
      state: 'Completed',
      restic_id: resticId,
      received_at: at,
      size: 6e9,
      files: 3,
      started_at: new Date(at.getTime() - 60_000),
      ended_at: at,
    })
    .where('backup_id', '=', backupId)
    .returning('id')
    .executeTakeFirstOrThrow()
  snapshotId = id
  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newmaster0' }]
})

const restores = () => clusterRestores(deps)
const begin = (more: { snapshotId?: string; backupId?: string; diskMiB?: number } = {}) =>
  deps.db.transaction().execute((trx) =>
    restores().begin(trx, caller, {
      clusterId,
      backupId: more.backupId ?? backupId,
      snapshotId: more.snapshotId,
      offering: { name: 'bay', diskMiB: more.diskMiB ?? 40_000 },
    }),
  )
const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
const reconcile = () => backupReconcile(deps).run({ id: backupId }, context)
const stateOf = async (id: string) => (await restores().list(deps.db, [id]))[0]
const shown = async () => (await getRestoring(deps, caller.userid, clusterId, 'en-US')).restoring
const unlock = () => unlockBackup(deps, caller, { backupId, clusterId, box })
const fail = (failure: string) =>
  agents.end(agents.newest('backup.restore'), { outcome: 'failed', failure, text: 'in restic’s words' })

test('waits for its password, asks again for a wrong one, and ends with the files there', async () => {
  const id = await begin()
  await reconcile()
  expect(agents.tasks.size, 'nothing is asked of the machine before').toBe(0)
  expect(await shown()).toMatchObject({
    backupName: 'Everything',
    size: 6e9,
    refused: false,
    key: agents.agent.backups?.key,
    restore: { state: 'Pending', needsPassword: true, reason: 'Waits for the backup password.' },
  })

  await unlock()
  await reconcile()
  const first = agents.newest('backup.restore')
  expect(taskKinds['backup.restore'].params.parse(first.params)).toMatchObject({
    snapshotId: resticId,
    backupId,
    box,
    target: { way: 'newCluster' },
  })
  expect(first.instanceId).toBe('in_newmaster0')
  woken = []
  fail('wrong_password')
  await reconcile()
  expect(woken).toContain(clusterId)
  expect(await stateOf(id)).toEqual({ id, state: 'refused', reason: { key: 'backupPasswordWrong' } })
  expect(await shown()).toMatchObject({
    refused: true,
    restore: { reason: 'Backup password incorrect, please re-enter.', needsPassword: true },
  })
  const kept = await deps.db.selectFrom('restores').select('box').where('id', '=', id).executeTakeFirstOrThrow()
  expect(kept.box, 'what opened nothing is not kept').toBeNull()
  await reconcile()
  expect(agents.tasks.size, 'nothing is tried without another one').toBe(1)

  await unlock()
  expect(await stateOf(id)).toEqual({ id, state: 'open', reason: null })
  await reconcile()
  expect(agents.tasks.size).toBe(2)
  agents.end(agents.newest('backup.restore'), { outcome: 'done', files: 3, bytes: 6e9, durationMs: 5, folder: null })
  await reconcile()
  expect(await stateOf(id)).toEqual({ id, state: 'done', reason: null })
  const row = await deps.db.selectFrom('restores').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ box: null, files: 3, target_cluster_id: clusterId })
  const backup = await deps.db.selectFrom('backups').selectAll().where('id', '=', backupId).executeTakeFirstOrThrow()
  expect(backup.password, 'that of its own machine is another matter').toBe('given')
  await expect(unlock(), 'nobody waits for one').rejects.toThrow(/There is no such/)
})

test('says what stands in its way, and goes on when that is gone', async () => {
  active.add(gone)
  await expect(begin(), 'at the order').rejects.toThrow(/^You need to first disable/)
  // Another cluster of the account has files of its own.
  active = new Set(['cl_stranger000'])
  const id = await begin()
  active.add(gone)
  await unlock()
  await reconcile()
  expect((await shown())?.restore.reason).toBe(
    'You need to first disable the existing Atoll that adopts the current Atoll ID before you can restore a new Atoll with the backup data.',
  )
  expect((await getSnapshot(deps, caller.userid, snapshotId, 'en-US')).refusal).toMatch(/^You need to first disable/)
  active.delete(gone)
  agents.agent.connected = false
  await reconcile()
  expect((await shown())?.restore.reason).toBe('Waits for the machine, which is not connected.')
  agents.agent.connected = true
  await reconcile()
  expect(agents.tasks.size).toBe(1)
  fail('damaged')
  await reconcile()
  expect(await stateOf(id)).toMatchObject({ state: 'failed', reason: { key: 'backupDamaged' } })

  // Asked for again by the owner: the machine knows the password by now, since it opened the repository.
  const again = await deps.db.transaction().execute((trx) => restores().again(trx, id))
  expect(again).not.toBe(id)
  expect(await deps.db.transaction().execute((trx) => restores().again(trx, again))).toBe(again)
  await reconcile()
  expect(agents.tasks.size).toBe(2)
  expect(agents.newest('backup.restore').params).not.toHaveProperty('box')
  fail('no_password')
  await reconcile()
  expect(await stateOf(again)).toMatchObject({ state: 'open' })
  expect((await shown())?.restore).toMatchObject({ needsPassword: true, reason: 'Waits for the backup password.' })
})

test('that waits for its password keeps its snapshot and nothing else; while it reads nothing is removed', async () => {
  const { db } = deps
  const taken = async (number: number) => {
    clock.set(new Date(clock.now().getTime() + 30 * 3600_000))
    const at = clock.now()
    const id = `sn_later0000${number}`
    const { owner, kind, paths } = await db
      .selectFrom('snapshots')
      .selectAll()
      .where('id', '=', snapshotId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('snapshots')
      .values({
        id,
        backup_id: backupId,
        owner,
        kind,
        paths: JSON.stringify(paths),
        created_at: at,
        received_at: at,
        state: 'Completed',
        restic_id: String(number).repeat(64),
        started_at: at,
        ended_at: at,
      })
      .execute()
    return id
  }
  const [second] = [await taken(2), await taken(3), await taken(4)]
  await begin({ snapshotId })
  const preview = await previewRetention(deps, caller.userid, { backupId })
  expect(preview.keep.find((each) => each.snapshotId === snapshotId)?.because).toEqual(['restoring'])
  expect(preview.remove.map((each) => each.snapshotId)).toEqual([second])
  // The old machine is back, and has the password.
  masters = [...masters, { clusterId: gone, clusterName: 'Reef', instanceId: 'in_newmaster0' }]
  await db
    .updateTable('backups')
    .set({ box: null, password: 'kept', has_repository: true, state: 'paused', next_at: null })
    .where('id', '=', backupId)
    .execute()
  await unlock()
  await reconcile()
  const forgottenNow = () => db.selectFrom('snapshots').select('id').where('forgotten_at', 'is not', null).execute()
  expect([agents.newest('backup.restore').state, await forgottenNow()]).toEqual(['offered', []])
  fail('wrong_password')
  for (const task of agents.tasks.values()) {
    if (task.kind === 'backup.check') agents.end(task, { outcome: 'done', durationMs: 5 })
  }
  await reconcile()
  expect(await forgottenNow()).toEqual([{ id: second }])
})

test('ends with its cluster, and with its backup', async () => {
  const first = await begin()
  await unlock()
  await reconcile()
  masters = []
  await reconcile()
  expect(await stateOf(first)).toMatchObject({ state: 'failed', reason: { key: 'backupClusterLost' } })
  expect(agents.newest('backup.restore').isCancelAsked).toBe(true)
  const open = await deps.db.selectFrom('vault_grants').selectAll().where('task_id', 'is not', null).execute()
  const ofTask = open.filter(({ task_id }) => task_id === agents.newest('backup.restore').id)
  for (const grant of ofTask) expect(grant.until.getTime()).toBeLessThanOrEqual(clock.now().getTime())

  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newmaster0' }]
  const second = await begin()
  await deleteBackup(deps, caller, { backupId })
  await reconcile()
  expect(await stateOf(second)).toEqual({ id: second, state: 'failed', reason: { key: 'backupRestoreEnded' } })
  await expect(begin()).rejects.toThrow(/is being deleted/)
})

test('takes the place of one that a lost machine left open, and only it is sent to the new machine', async () => {
  const first = await begin()
  await unlock()
  await reconcile()
  const lost = agents.newest('backup.restore')
  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newermaster' }]
  agents.others.push({ ...agents.agent, instanceId: 'in_newermaster' })
  clock.set(new Date(clock.now().getTime() + 1000))
  const second = await begin()
  await unlock()
  await reconcile()
  expect(await stateOf(first)).toMatchObject({ id: first, state: 'failed' })
  const rights = deps.db.selectFrom('vault_grants').select('id').where('task_id', '=', lost.id)
  expect(await rights.execute(), 'the lost machine may not read any longer').toEqual([])
  const sent = [...agents.tasks.values()].filter(({ instanceId }) => instanceId === 'in_newermaster')
  expect(sent).toMatchObject([{ kind: 'backup.restore', params: { box } }])
  expect((await shown())?.restore).toMatchObject({ restoreId: second, state: 'Started' })
})

test('ends where an empty machine takes the place of one that was lost, without its right to read', async () => {
  const open = await begin()
  await unlock()
  await reconcile()
  const lost = agents.newest('backup.restore')
  await deps.db.transaction().execute((trx) => restores().end(trx, { owner: caller.userid, clusterId }))
  expect(await stateOf(open)).toMatchObject({ state: 'failed', reason: { key: 'backupRestoreEnded' } })
  const rights = deps.db.selectFrom('vault_grants').select('id').where('task_id', '=', lost.id)
  expect(await rights.execute()).toEqual([])
  masters = [{ clusterId, clusterName: 'Manihi', instanceId: 'in_newermaster' }]
  agents.others.push({ ...agents.agent, instanceId: 'in_newermaster' })
  await reconcile()
  expect([...agents.tasks.values()].filter(({ instanceId }) => instanceId === 'in_newermaster')).toEqual([])
})

test('is begun of what the owner has and of what fits, and its duration is estimated from earlier ones', async () => {
  await expect(begin({ diskMiB: 5000 })).rejects.toThrow(/do not fit on the disk of bay/)
  const onHost = deps.db.transaction().execute(async (trx) => {
    const id = await restores().begin(trx, caller, { clusterId, backupId })
    await trx.deleteFrom('restores').where('id', '=', id).execute()
    return id
  })
  expect(await onHost, 'of a host nobody knows the disk yet').toMatch(/^rs_/)
  await expect(begin({ backupId: 'bk_none000000' })).rejects.toThrow(/There is no such/)
  await expect(begin({ snapshotId: 'sn_none000000' })).rejects.toThrow(/There is no such/)
  expect(await getSnapshot(deps, caller.userid, snapshotId, 'en-US')).toMatchObject({ seconds: 60, refusal: null })
  await expect(getSnapshot(deps, 'did:key:other', snapshotId, 'en-US')).rejects.toThrow(/There is no such/)
  await expect(getRestoring(deps, 'did:key:other', clusterId, 'en-US')).rejects.toThrow(/There is no such/)
  expect(await shown()).toBeNull()
  await begin({ snapshotId })
  expect((await shown())?.restore).toMatchObject({ way: 'newCluster', target: { clusterId, clusterName: 'Manihi' } })
})

test('on a machine in the place of the one that was backed up: its password and its runs are the plan’s again', async () => {
  const { db } = deps
  const place = (instanceId: string) => [{ clusterId: gone, clusterName: 'Reef', instanceId }]
  const plan = () => db.selectFrom('backups').selectAll().where('id', '=', backupId).executeTakeFirstOrThrow()
  agents.others.push({ ...agents.agent, instanceId: 'in_oldmaster0' })
  masters = place('in_oldmaster0')
  await db.updateTable('backups').set({ box: null, password: 'kept', has_repository: true }).execute()
  await runBackup(deps, caller, { backupId })
  await reconcile()
  expect(agents.newest('backup.run').instanceId).toBe('in_oldmaster0')

  // The old one never ends it, and is never silent for ten minutes either.
  masters = place('in_newmaster0')
  clusterId = gone
  const id = await begin()
  await reconcile()
  const lost = agents.newest('backup.run')
  expect(lost.instanceId, 'it is asked of the new one').toBe('in_newmaster0')
  agents.end(lost, { outcome: 'failed', failure: 'no_password', text: '' })
  await reconcile()
  expect(await plan()).toMatchObject({ password: 'missing' })

  await unlock()
  await reconcile()
  expect(await plan(), 'the files come first').toMatchObject({ password: 'missing', box: null })
  const restore = agents.newest('backup.restore')
  expect(restore).toMatchObject({ instanceId: 'in_newmaster0', params: { box, target: { way: 'newCluster' } } })
  agents.end(restore, { outcome: 'done', files: 3, bytes: 6e9, durationMs: 5, folder: null })
  await reconcile()
  expect(await stateOf(id)).toMatchObject({ state: 'done' })
  expect(await plan()).toMatchObject({ password: 'kept', cluster_id: gone, move_to: null })
  await reconcile()
  const again = agents.newest('backup.run')
  expect(again.id).not.toBe(lost.id)
  expect(again).toMatchObject({ instanceId: 'in_newmaster0', state: 'offered' })
  expect(again.params).not.toHaveProperty('box')
})

describe('a cluster that was made of a backup and is activated', () => {
  const plan = async () =>
    await deps.db.selectFrom('backups').selectAll().where('id', '=', backupId).executeTakeFirstOrThrow()
  async function restored() {
    await begin()
    await unlock()
    await reconcile()
    agents.end(agents.newest('backup.restore'), { outcome: 'done', files: 3, bytes: 6e9, durationMs: 5, folder: null })
    await reconcile()
  }

  test('takes the plan over with its password once its own is gone; not before it is activated', async () => {
    await restored()
    expect(await plan()).toMatchObject({ cluster_id: gone, next_at: null })
    active.add(clusterId)
    const { onAgentChange } = createBackupEvents({ clock, ...deps.vault })
    const agent = { clusterId, instanceId: 'in_newmaster0' }
    await deps.db.transaction().execute((trx) => onAgentChange(trx, agent, { osActive: true }))
    const { rows } = await database.pool.query('select key from graphile_worker.jobs where key like $1', [
      `%${backupId}%`,
    ])
    expect(rows, 'its report wakes the backup').toHaveLength(1)
    await reconcile()
    const moved = await plan()
    expect(moved).toMatchObject({ cluster_id: clusterId, former_clusters: [gone], password: 'kept', box: null })
    expect(moved.next_at?.getTime()).toBeGreaterThan(clock.now().getTime())
    const repo = deps.db.selectFrom('vault_repos').select('cluster_id').where('id', '=', moved.repo_id)
    expect(await repo.executeTakeFirst()).toEqual({ cluster_id: clusterId })
    await runBackup(deps, caller, { backupId })
    await reconcile()
    expect(agents.newest('backup.run')).toMatchObject({ instanceId: 'in_newmaster0' })
    expect(agents.newest('backup.run').params).not.toHaveProperty('box')
    const kin = await restores().listKin(deps.db, { owner: caller.userid, clusterId: gone })
    expect(kin, 'the old one cannot come back beside it').toEqual([clusterId])
    // As another one that is ordered beside the active one.
    clusterId = gone
    await expect(begin(), 'nor a third').rejects.toThrow(/^You need to first disable/)
  })

  test('is asked for where its own is still there: the owner says where the plan belongs', async () => {
    masters = [...masters, { clusterId: gone, clusterName: 'Reef', instanceId: 'in_oldmaster0' }]
    await restored()
    active.add(clusterId)
    await reconcile()
    const moveTo = async () => (await getBackup(deps, caller.userid, backupId, 'en-US')).backup.moveTo
    expect([(await plan()).cluster_id, await moveTo()]).toEqual([gone, { clusterId, clusterName: 'Manihi' }])
    await answerMove(deps, caller, { backupId, move: false })
    await reconcile()
    expect([(await plan()).cluster_id, await moveTo()]).toEqual([gone, null])
    await expect(answerMove(deps, caller, { backupId, move: true })).rejects.toThrow('No other cluster is waiting')
    await deps.db.updateTable('backups').set({ move_to: clusterId }).where('id', '=', backupId).execute()
    await answerMove(deps, caller, { backupId, move: true })
    expect(await plan()).toMatchObject({ cluster_id: clusterId, move_to: null })
  })

  test('keeps the names and slots that its own plans have: one that would share a slot waits, paused', async () => {
    const own = await createBackup(deps, caller, {
      clusterId,
      name: 'everything',
      paths: ['/'],
      schedule: { every: 'day', at: '03:00' },
      timeZone: 'Asia/Tokyo',
      runNow: false,
    })
    await restored()
    active.add(clusterId)
    await reconcile()
    expect(await plan()).toMatchObject({
      name: 'Everything 2',
      state: 'paused',
      next_at: null,
      time_zone: 'Asia/Tokyo',
    })
    expect(own.backupId).not.toBe(backupId)
  })
})
