import type { BackupSchedule } from '@atoll/contract/backups'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../platform/caller.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { openDesk } from '../billing/testing/billing-desk.ts'
import { createVault, listSnapshotFiles, scrubLeft, usageOf } from '../vault/index.ts'
import type { BackupDeps } from './backups-deps.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from './commands/backup-change.ts'
import { createBackup } from './commands/backup-create.ts'
import { cancelRun, restoreSnapshot, runBackup, unlockBackup } from './commands/backup-run.ts'
import { backupReconcile } from './reconcile/backup-reconcile.ts'
import { backupSweep } from './reconcile/backup-sweep.ts'
import { listLastCompleted } from './records/backup-store.ts'
import { type ScriptedAgents, scriptAgents } from './testing/scripted-agents.ts'
import { getBackup, listBackups, pageSnapshots, previewRetention } from './views/backup-views.ts'

const start = new Date('2028-06-01T12:00:00Z')
const hour = 3600_000
const day = 24 * hour
const box = 'e30..AAAA.AAAA.AAAA'
const clock = createTestClock(start)
let scratch: TestDatabase
let database: Database
let deps: BackupDeps
let agents: ScriptedAgents
let caller: Caller
let clusterId: string
let masters: { clusterId: string; clusterName: string; instanceId: string }[]

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  clock.set(start)
  const desk = await openDesk(database, { clock })
  clusterId = await desk.insertCluster()
  caller = { userid: desk.userid, sessionId: 'ss_aaaaaaaa', role: 'User', ip: '127.0.0.1' }
  agents = scriptAgents('in_master0000', () => clock.now())
  masters = [{ clusterId, clusterName: 'Reef', instanceId: 'in_master0000' }]
  const { db } = database
  deps = {
    ...{
      db,
      clock,
      config: { vaultRuns: 1000, product: 'Atoll' },
      agents: agents.face,
      listSnapshotFiles,
      usageOf,
      scrubLeft,
    },
    mail: { post: async () => 'ml_none' },
    cloudStore: undefined,
    vault: createVault({
      ...{ db, clock, log: silentLog, readQuota: async () => null, onDamaged: async () => undefined },
      config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1:4803', vaultDir: '/nowhere' },
    }),
    listOwnMasters: async (_, owner) => (owner === desk.userid ? masters : []),
    listClusterNames: async (_, ids) => ids.map((id) => ({ clusterId: id, clusterName: 'Reef' })),
    lockAccount: (trx, userid) =>
      trx.selectFrom('accounts').select('userid').where('userid', '=', userid).forNoKeyUpdate().execute(),
    hasActiveCluster: async () => false,
    wakeCluster: async () => undefined,
    quotaOf: async () => 5e9,
  }
})

const daily = (at: string): BackupSchedule => ({ every: 'day', at })
const defaults = () => ({
  ...{ clusterId, paths: ['/'], timeZone: 'Europe/Berlin', box, runNow: false },
  keep: { last: 2, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
})
const create = async (change: Partial<Parameters<typeof createBackup>[2]> = {}) =>
  (await createBackup(deps, caller, { ...defaults(), name: 'Everything', schedule: daily('03:00'), ...change }))
    .backupId
const context = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
const reconcile = (id: string) => backupReconcile(deps).run({ id }, context)
const show = async (id: string) => (await getBackup(deps, caller.userid, id, 'en-US')).backup
const newest = async (id: string) => (await show(id)).newest
const runs = async (backupId: string) =>
  (await pageSnapshots(deps, caller.userid, { backupId, page: 1, rowsPerPage: 100 }, 'en-US')).snapshots

let files = 0
/** The agent's snapshot is received by the vault, and its run ends well. */
async function complete(id: string, more: Record<string, unknown> = {}) {
  await reconcile(id)
  const task = agents.newest('backup.run')
  files += 1
  const name = files.toString(16).padStart(64, '0')
  const { repo_id } = await deps.db
    .selectFrom('backups')
    .select('repo_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await deps.db
    .insertInto('vault_files')
    .values({ repo_id, type: 'snapshots', name, bytes: 400, stored_at: clock.now(), scrub_at: clock.now() })
    .execute()
  await deps.db
    .updateTable('vault_usage')
    .set((from) => ({ live_bytes: from('live_bytes', '+', 400) }))
    .where('owner', '=', caller.userid)
    .execute()
  clock.set(new Date(clock.now().getTime() + 1000))
  const figures = { files: 12, bytes: 34_000, newBytes: 5_000, durationMs: 900, unreadFiles: 0 }
  agents.end(task, { outcome: 'done', snapshotId: name, ...figures, ...more })
  await reconcile(id)
  return name
}
async function runNow(id: string) {
  const { snapshotId } = await runBackup(deps, caller, { backupId: id })
  await complete(id)
  return snapshotId
}

describe('a run', () => {
  test('is sent with a right to its repository, says how far it is, and ends with its figures', async () => {
    const id = await create({ runNow: true })
    await reconcile(id)
    const task = agents.newest('backup.run')
    expect(task.params).toMatchObject({ backupId: id, box, first: true, paths: ['/'] })
    expect(await newest(id)).toMatchObject({ state: 'Started', kind: 'Fully', progress: null })
    const progress = { filesDone: 3, filesTotal: 0, bytesDone: 10, bytesTotal: 40, secondsLeft: null }
    Object.assign(task, { state: 'running', progress })
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Running', progress: { ...progress, filesTotal: null } })
    await complete(id, { unreadFiles: 2 })
    expect(await newest(id)).toMatchObject({
      ...{ state: 'Completed', size: 34_000, newBytes: 5_000, files: 12, restorable: true },
      reason: '2 files could not be read.',
    })
    expect(await show(id)).toMatchObject({ snapshots: 1, needsPassword: false })
    const last = { backupId: id, clusterId, completedAt: start }
    expect(await listLastCompleted(deps.db, caller.userid)).toContainEqual(last)
    expect(await deps.db.selectFrom('vault_grants').selectAll().where('task_id', '=', task.id).execute()).toEqual([])
    await runNow(id)
    expect(agents.newest('backup.run').params).toMatchObject({ first: false })
    expect(agents.newest('backup.run').params).not.toHaveProperty('box')
    expect(await newest(id)).toMatchObject({ kind: 'Incremental' })
  })

  test('is not believed when the vault has no such snapshot', async () => {
    const id = await create({ runNow: true })
    await reconcile(id)
    const figures = { files: 1, bytes: 1, newBytes: 1, durationMs: 1, unreadFiles: 0 }
    agents.end(agents.newest('backup.run'), { outcome: 'done', snapshotId: 'f'.repeat(64), ...figures })
    await reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Failed',
      reason: 'The backup store did not receive the snapshot.',
    })
  })

  test('waits, and says for what: password, machine, restic, room', async () => {
    const { box: _, ...withoutBox } = defaults()
    const { backupId: id } = await createBackup(deps, caller, {
      ...{ ...withoutBox, name: 'Everything', schedule: daily('03:00'), runNow: true },
    })
    const says = async () => {
      await reconcile(id)
      const { state, reason } = (await newest(id)) ?? {}
      return `${state}: ${reason}`
    }
    expect(await says()).toBe('Pending: Waits for the backup password.')
    agents.agent.connected = false
    await unlockBackup(deps, caller, { backupId: id, clusterId, box })
    expect(await says()).toBe('Pending: Waits for the machine, which is not connected.')
    agents.agent.connected = true
    const { backups } = agents.agent
    agents.agent.backups = null
    expect(await says()).toContain('too old')
    agents.agent.backups = backups && { ...backups, restic: null }
    expect(await says()).toContain('Install the package "restic"')
    agents.agent.backups = backups
    deps.config.vaultRuns = 0
    expect(await says()).toBe('Pending: Waits until other backups are done.')
    deps.config.vaultRuns = 1000
    expect(await says()).toBe('Started: null')
  })

  test('of a lost machine waits again under a new task, and what the old one says changes nothing', async () => {
    const id = await create({ runNow: true })
    await reconcile(id)
    const lost = agents.newest('backup.run')
    agents.agent.connected = false
    clock.set(new Date(start.getTime() + 11 * 60_000))
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Pending' })
    expect(lost.isCancelAsked).toBe(true)
    Object.assign(agents.agent, { connected: true, lastSeenAt: clock.now() })
    await reconcile(id)
    expect(agents.newest('backup.run').id).not.toBe(lost.id)
    agents.end(lost, { outcome: 'failed', failure: 'failed', text: 'late' })
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Started' })
    await complete(id)
    expect((await runs(id)).map(({ state }) => state)).toEqual(['Completed'])
  })

  test('that waits for a day is given up', async () => {
    const id = await create({ runNow: true, schedule: { every: 'month', at: '03:00', day: 1 } })
    agents.agent.connected = false
    clock.set(new Date(start.getTime() + 25 * hour))
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('could not begin') })
  })

  test('is canceled at once while it waits, and by its agent while it runs', async () => {
    const id = await create({ runNow: true })
    await reconcile(id)
    const task = agents.newest('backup.run')
    await cancelRun(deps, caller, { backupId: id })
    await reconcile(id)
    expect([task.isCancelAsked, (await newest(id))?.cancelAsked]).toEqual([true, true])
    Object.assign(task, { state: 'canceled' })
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Canceled', reason: null })
    await expect(cancelRun(deps, caller, { backupId: id })).rejects.toThrow('Nothing of this backup is under way.')
  })

  test('that is asked for again while one is under way is that one', async () => {
    const id = await create({ runNow: true })
    const { snapshotId } = await runBackup(deps, caller, { backupId: id })
    expect((await runBackup(deps, caller, { backupId: id })).snapshotId).toBe(snapshotId)
    expect(await runs(id)).toHaveLength(1)
  })

  test('with a wrong password fails with the sentence of the specification, and asks for it', async () => {
    const id = await create({ runNow: true })
    await complete(id)
    await runBackup(deps, caller, { backupId: id, box })
    await reconcile(id)
    agents.end(agents.newest('backup.run'), { outcome: 'failed', failure: 'wrong_password', text: 'no key' })
    await reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: 'Backup password incorrect, please re-enter.' })
    expect(await show(id)).toMatchObject({ needsPassword: true })
  })
})

describe('the schedule', () => {
  /** As the sweep does each minute: what it wakes is looked at. */
  async function tick(id: string) {
    await backupSweep(deps).run({ all: false }, context)
    const jobs = await deps.db.executeQuery<{ key: string }>({
      ...{ query: { kind: 'RawNode' } as never, queryId: { queryId: 'jobs' }, parameters: [] },
      sql: "select key from graphile_worker.jobs where task_identifier = 'backup.reconcile'",
    })
    if (jobs.rows.some(({ key }) => key === `backup.reconcile:${id}`)) await reconcile(id)
  }

  test('runs each slot once, makes up for missed ones by one run, and lets a slot wait for the run before', async () => {
    const id = await create()
    expect((await show(id)).nextAt).toMatch(/^2028-06-02T01:0/)
    await tick(id)
    expect(await runs(id)).toEqual([])
    clock.set(new Date('2028-06-02T01:10:00Z'))
    await tick(id)
    await tick(id)
    expect((await runs(id)).map(({ scheduledFor }) => scheduledFor)).toEqual(['2028-06-02T01:00:00.000Z'])
    await complete(id)
    clock.set(new Date('2028-06-06T07:00:00Z'))
    await tick(id)
    await complete(id)
    expect((await runs(id)).map(({ scheduledFor }) => scheduledFor)).toEqual([
      '2028-06-06T01:00:00.000Z',
      '2028-06-02T01:00:00.000Z',
    ])
    await runBackup(deps, caller, { backupId: id })
    await reconcile(id)
    clock.set(new Date('2028-06-07T01:10:00Z'))
    await tick(id)
    expect((await runs(id)).map(({ state }) => state)).toEqual(['Started', 'Completed', 'Completed'])
    await complete(id)
    await tick(id)
    expect((await newest(id))?.scheduledFor).toBe('2028-06-07T01:00:00.000Z')
  })

  test('a clock that is set back over a slot runs it no second time', async () => {
    const id = await create()
    clock.set(new Date('2028-06-02T01:10:00Z'))
    await tick(id)
    await complete(id)
    await deps.db.updateTable('backups').set({ slots_until: start, next_at: start }).where('id', '=', id).execute()
    await tick(id)
    expect(await runs(id)).toHaveLength(1)
  })

  test('no two backups of a cluster take one slot, nor one name', async () => {
    await create()
    await expect(create({ name: 'Photos' })).rejects.toThrow('Time slot already used')
    await expect(create({ schedule: daily('04:00') })).rejects.toThrow('named Everything')
    const id = await create({ name: 'Photos', schedule: daily('04:00') })
    await expect(updateBackup(deps, caller, { backupId: id, schedule: { every: 'hour', minute: 0 } })).rejects.toThrow(
      'Time slot already used',
    )
    const both = await Promise.allSettled([
      create({ name: 'One', schedule: daily('05:00') }),
      create({ name: 'Two', schedule: daily('05:00') }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('has one zone a cluster', async () => {
    const first = await create()
    const second = await create({ name: 'Photos', schedule: daily('04:00'), timeZone: 'Asia/Tokyo' })
    expect([(await show(first)).timeZone, (await show(second)).timeZone]).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])
    expect((await show(first)).nextAt).toMatch(/^2028-06-01T18:0/)
  })

  test('is paused and resumed, and a paused one begins nothing', async () => {
    const id = await create()
    await pauseBackup(deps, caller, { backupId: id, paused: true })
    clock.set(new Date('2028-06-03T01:10:00Z'))
    await tick(id)
    expect([await runs(id), (await show(id)).nextAt]).toEqual([[], null])
    await pauseBackup(deps, caller, { backupId: id, paused: false })
    expect((await show(id)).nextAt).toMatch(/^2028-06-04T01:0/)
  })

  test('ends with its cluster; what is stored stays', async () => {
    const id = await create()
    await runNow(id)
    await runBackup(deps, caller, { backupId: id })
    masters = []
    await reconcile(id)
    expect(await show(id)).toMatchObject({ nextAt: null, snapshots: 1, clusterName: 'Reef' })
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: 'The cluster is gone.' })
    await expect(runBackup(deps, caller, { backupId: id })).rejects.toThrow('cluster of this backup is gone')
  })
})

test('what retention previews is what the agent is told to forget, with the right to just that', async () => {
  const id = await create()
  for (let i = 0; i < 3; i += 1) {
    clock.set(new Date(start.getTime() + i * hour))
    await runBackup(deps, caller, { backupId: id })
    await complete(id)
  }
  const { keep, remove } = await previewRetention(deps, caller.userid, { backupId: id })
  expect([keep.length, remove.length]).toEqual([2, 1])
  const task = agents.newest('backup.forget')
  const oldest = (await runs(id)).at(-1)?.snapshotId
  expect(remove.map(({ snapshotId }) => snapshotId)).toEqual([oldest])
  const { restic_id } = await deps.db
    .selectFrom('snapshots')
    .select('restic_id')
    .where('id', '=', oldest ?? '')
    .executeTakeFirstOrThrow()
  expect(task.params['snapshots']).toEqual([restic_id])
  const grants = await deps.db.selectFrom('vault_grants').selectAll().where('task_id', '=', task.id).execute()
  expect(grants).toMatchObject([{ rights: 'prune', delete_snapshots: [restic_id] }])
  agents.end(task, { outcome: 'done', durationMs: 5 })
  await reconcile(id)
  expect((await show(id)).snapshots).toBe(2)
  expect((await runs(id)).map(({ restorable }) => restorable)).toEqual([true, true, false])
  clock.set(new Date(start.getTime() + 8 * day))
  await pauseBackup(deps, caller, { backupId: id, paused: true })
  await reconcile(id)
  agents.end(agents.newest('backup.prune'), { outcome: 'done', durationMs: 5 })
  await reconcile(id)
  const prunes = [...agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  await reconcile(id)
  expect(prunes).toHaveLength(1)
})

describe('a restore', () => {
  test('goes into a new folder under a right to read, and says where it is', async () => {
    const id = await create()
    const snapshotId = await runNow(id)
    const { restoreId } = await restoreSnapshot(deps, caller, { backupId: id, snapshotId, way: 'newFolder' })
    await reconcile(id)
    const task = agents.newest('backup.restore')
    expect(task.params).toMatchObject({ target: { way: 'newFolder' }, backupId: id })
    await expect(restoreSnapshot(deps, caller, { backupId: id, snapshotId, way: 'newFolder' })).rejects.toThrow(
      'A restore of this backup is under way',
    )
    const figures = { files: 12, bytes: 34_000, durationMs: 70 }
    agents.end(task, { outcome: 'done', ...figures, folder: 'Restored 2028-06-01 12.00' })
    await reconcile(id)
    const { restores } = await getBackup(deps, caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { restoreId, state: 'Completed', folder: 'Restored 2028-06-01 12.00', files: 12, size: 34_000 },
    ])
  })

  test('that replaces files waits for a snapshot of what is there', async () => {
    const id = await create()
    const snapshotId = await runNow(id)
    await restoreSnapshot(deps, caller, { backupId: id, snapshotId, way: 'replace' })
    await reconcile(id)
    const { restores } = await getBackup(deps, caller.userid, id, 'en-US')
    expect(restores).toMatchObject([{ state: 'Pending', reason: 'Waits for the snapshot that is taken first.' }])
    await complete(id)
    expect(agents.newest('backup.restore').params).toMatchObject({ target: { way: 'replace', paths: ['/'] } })
  })

  test('with a wrong password says so and leaves the password that the machine has', async () => {
    const id = await create()
    const snapshotId = await runNow(id)
    await restoreSnapshot(deps, caller, { backupId: id, snapshotId, way: 'newFolder', box })
    await reconcile(id)
    agents.end(agents.newest('backup.restore'), { outcome: 'failed', failure: 'wrong_password', text: 'no key' })
    await reconcile(id)
    const { restores, backup } = await getBackup(deps, caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { state: 'Failed', reason: 'Backup password incorrect, please re-enter.', needsPassword: true },
    ])
    expect(backup.needsPassword).toBe(false)
    expect(await deps.db.selectFrom('restores').select('box').where('backup_id', '=', id).execute()).toEqual([
      { box: null },
    ])
  })
})

test('what is deleted can be taken back whole for 14 days, and is gone then', async () => {
  const id = await create()
  await runNow(id)
  const { deletedAt } = await deleteBackup(deps, caller, { backupId: id })
  expect(new Date(deletedAt).getTime()).toBe(clock.now().getTime() + 14 * day)
  await expect(runBackup(deps, caller, { backupId: id })).rejects.toThrow('is being deleted')
  expect(await show(id)).toMatchObject({ state: 'deleting', actions: ['undelete'] })
  const { repo_id } = await deps.db
    .selectFrom('backups')
    .select('repo_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await listSnapshotFiles(deps.db, repo_id)).toEqual([])
  await undeleteBackup(deps, caller, { backupId: id })
  expect(await show(id)).toMatchObject({ state: 'paused', snapshots: 1 })
  expect(await listSnapshotFiles(deps.db, repo_id)).toHaveLength(1)
  await deleteBackup(deps, caller, { backupId: id })
  clock.set(new Date(start.getTime() + 15 * day))
  await reconcile(id)
  await expect(show(id)).rejects.toThrow('There is no such backup.')
  expect((await listBackups(deps, caller.userid, 'en-US')).backups).toEqual([])
})
