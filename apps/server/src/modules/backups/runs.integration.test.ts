/** A run from its beginning to whichever end, and what it waits for. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteBackup, undeleteBackup } from './commands/backup-change.ts'
import { cancelRun, runBackup, unlockBackup } from './commands/backup-run.ts'
import { listLastCompleted } from './records/backup-store.ts'
import { hasUnpruned } from './records/kept-snapshots.ts'
import { box, start, useBackupHarness } from './testing/backup-harness.ts'

const hour = 3600_000
const { clock, harness } = useBackupHarness()
const newest = async (id: string) => (await harness.show(id)).newest

describe('a run', () => {
  test('is sent with a right to its repository, says how far it is, and ends with its figures', async () => {
    const id = await harness.createDaily({ runNow: true })
    await harness.reconcile(id)
    const task = harness.agents.newest('backup.run')
    expect(task.params).toMatchObject({ backupId: id, box, first: true, paths: ['/'] })
    expect(await newest(id)).toMatchObject({ state: 'Started', kind: 'Fully', progress: null })
    const progress = { filesDone: 3, filesTotal: 0, bytesDone: 10, bytesTotal: 40, secondsLeft: null }
    Object.assign(task, { state: 'running', progress })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Running',
      runningAt: start.toISOString(),
      progress: { ...progress, filesTotal: null, unreadFiles: 0 },
    })
    await harness.complete(id, { unreadFiles: 2 })
    expect(await newest(id)).toMatchObject({
      state: 'Completed',
      size: 34_000,
      newBytes: 5_000,
      files: 12,
      restorable: true,
      reason: '2 files could not be read.',
    })
    expect(await harness.show(id)).toMatchObject({ snapshots: 1, needsPassword: false })
    const last = { backupId: id, clusterId: harness.clusterId, completedAt: start }
    expect(await listLastCompleted(harness.deps.db, harness.caller.userid)).toContainEqual(last)
    expect(
      await harness.deps.db.selectFrom('vault_grants').selectAll().where('task_id', '=', task.id).execute(),
    ).toEqual([])
    await harness.runNow(id)
    expect(harness.agents.newest('backup.run').params).toMatchObject({ first: false })
    expect(harness.agents.newest('backup.run').params).not.toHaveProperty('box')
    expect(await newest(id)).toMatchObject({ kind: 'Incremental' })
  })

  test('has the meters read what is held then, and once that is taken away or given back; nothing else does', async () => {
    const id = await harness.createDaily({ runNow: true })
    await harness.insertFile(id, { type: 'data', name: 'a'.repeat(64), bytes: 9000 })
    await harness.complete(id)
    await harness.runNow(id)
    await runBackup(harness.deps, harness.caller, { backupId: id })
    await cancelRun(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    expect(harness.held).toEqual([9400, 9800])
    await deleteBackup(harness.deps, harness.caller, { backupId: id })
    await deleteBackup(harness.deps, harness.caller, { backupId: id })
    expect(harness.held).toEqual([9400, 9800, 0])
    await undeleteBackup(harness.deps, harness.caller, { backupId: id })
    expect(harness.held).toEqual([9400, 9800, 0, 9800])
  })

  test('is not believed when the vault has no such snapshot', async () => {
    const id = await harness.createDaily({ runNow: true })
    await harness.reconcile(id)
    const figures = { files: 1, bytes: 1, newBytes: 1, durationMs: 1, unreadFiles: 0 }
    harness.agents.end(harness.agents.newest('backup.run'), { outcome: 'done', snapshotId: 'f'.repeat(64), ...figures })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Failed',
      reason: 'The backup store did not receive the snapshot.',
    })
  })

  test('waits while the servers of its cluster are suspended, and begins once that is released', async () => {
    const { db } = harness.deps
    const id = await harness.createDaily({ runNow: true })
    await sql`insert into account_holds (id, account_id, scope, reason, text, held_by, held_at)
      select 'hd_aaaaaaaa', account_id, 'servers', 'abuse', 'why', account_id, ${start} from accounts
      where account_id = ${harness.caller.userid}`.execute(db)
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Pending',
      reason: 'Waits until the suspension of this cluster is released.',
    })
    await sql`update account_holds set released_at = ${start}`.execute(db)
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Started' })
  })

  test('waits, and says for what: password, machine, restic, room', async () => {
    const id = await harness.createDaily({ box: undefined, runNow: true })
    const says = async () => {
      await harness.reconcile(id)
      const { state, reason } = (await newest(id)) ?? {}
      return `${state}: ${reason}`
    }
    expect(await says()).toBe('Pending: Waits for the backup password.')
    harness.agents.agent.connected = false
    await unlockBackup(harness.deps, harness.caller, { backupId: id, clusterId: harness.clusterId, box })
    expect(await says()).toBe('Pending: Waits for the machine, which is not connected.')
    harness.agents.agent.connected = true
    const { backups } = harness.agents.agent
    harness.agents.agent.backups = null
    expect(await says()).toContain('too old')
    harness.agents.agent.backups = backups && { ...backups, restic: null }
    expect(await says()).toContain('Install the package "restic"')
    harness.agents.agent.backups = backups
    harness.deps.config.vaultRuns = 0
    expect(await says()).toBe('Pending: Waits until other backups are done.')
    harness.deps.config.vaultRuns = 1000
    expect(await says()).toBe('Started: null')
  })

  test('of a lost machine waits again under a new task, and what the old one says changes nothing', async () => {
    const id = await harness.createDaily({ runNow: true })
    const { db } = harness.deps
    const isUnpruned = async () => {
      const backup = await db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return await hasUnpruned(db, backup)
    }
    await harness.reconcile(id)
    expect(await isUnpruned()).toBe(false)
    const lost = harness.agents.newest('backup.run')
    harness.agents.agent.connected = false
    clock.set(new Date(start.getTime() + 11 * 60_000))
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Pending' })
    expect(lost.isCancelAsked).toBe(true)
    Object.assign(harness.agents.agent, { connected: true, lastSeenAt: clock.now() })
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.run').id).not.toBe(lost.id)
    harness.agents.end(lost, { outcome: 'failed', failure: 'failed', text: 'late' })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Started' })
    await harness.complete(id)
    expect((await harness.runs(id)).map(({ state }) => state)).toEqual(['Completed'])
    expect(await isUnpruned(), 'what the lost one stored no snapshot may need').toBe(true)
  })

  test('that was under way in a copy of the database is no damage once that is restored', async () => {
    const id = await harness.createDaily()
    const first = await harness.runNow(id)
    const { snapshotId } = await runBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    const before = harness.agents.newest('backup.run')
    // It ended after the copy was taken: its files got rows again, and no machine knows of the task.
    Object.assign(before, { state: 'running' })
    await harness.reconcile(id)
    expect((await harness.runs(id))[0]).toMatchObject({ snapshotId, state: 'Running' })
    await harness.insertFile(id, { type: 'snapshots', name: 'e'.repeat(64), bytes: 400 })
    harness.agents.tasks.delete(before.id)
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.run').id).not.toBe(before.id)
    await harness.complete(id)
    await harness.reconcile(id)
    const runs = await harness.runs(id)
    expect(runs.map(({ state, restorable }) => [state, restorable])).toEqual(Array(3).fill(['Completed', true]))
    expect(runs.map((run) => run.snapshotId)).toEqual(expect.arrayContaining([first, snapshotId]))
    expect(await harness.damaged(id)).toEqual([])
  })

  test('that waits for a day is given up', async () => {
    const id = await harness.createDaily({ runNow: true, schedule: { every: 'month', at: '03:00', day: 1 } })
    harness.agents.agent.connected = false
    clock.set(new Date(start.getTime() + 25 * hour))
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('could not begin') })
  })

  test('is canceled at once while it waits, and by its agent while it runs', async () => {
    const id = await harness.createDaily({ runNow: true })
    await harness.reconcile(id)
    const task = harness.agents.newest('backup.run')
    await cancelRun(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    expect([task.isCancelAsked, (await newest(id))?.cancelAsked]).toEqual([true, true])
    Object.assign(task, { state: 'canceled' })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Canceled', reason: null })
    await expect(cancelRun(harness.deps, harness.caller, { backupId: id })).rejects.toThrow(
      'No work of this backup is in progress.',
    )
  })

  test('that is asked for again while one is under way is that one', async () => {
    const id = await harness.createDaily({ runNow: true })
    const { snapshotId } = await runBackup(harness.deps, harness.caller, { backupId: id })
    expect((await runBackup(harness.deps, harness.caller, { backupId: id })).snapshotId).toBe(snapshotId)
    expect(await harness.runs(id)).toHaveLength(1)
  })

  test.each([
    ['disk', 'The backup store itself is full'],
    ['quota', 'There is no room left for backups in your plan'],
  ] as const)('that was refused room of the %s says whose room it is', async (refused, reason) => {
    harness.deps.vault = { ...harness.deps.vault, findRefused: async () => refused }
    const id = await harness.createDaily({ runNow: true })
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.run'), { outcome: 'failed', failure: 'quota', text: '507' })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining(reason) })
  })

  test('with a wrong password fails with the sentence of the specification, and asks for it', async () => {
    const id = await harness.createDaily({ runNow: true })
    await harness.complete(id)
    await runBackup(harness.deps, harness.caller, { backupId: id, box })
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.run'), {
      outcome: 'failed',
      failure: 'wrong_password',
      text: 'no key',
    })
    await harness.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: 'Backup password incorrect, please re-enter.' })
    expect(await harness.show(id)).toMatchObject({ needsPassword: true })
  })
})
