/** A run from its beginning to whichever end, and what it waits for. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteBackup, undeleteBackup } from './commands/backup-change.ts'
import { cancelRun, runBackup, unlockBackup } from './commands/backup-run.ts'
import { listLastCompleted } from './records/backup-store.ts'
import { box, start, useBackupDesk } from './testing/backup-desk.ts'

const hour = 3600_000
const { clock, desk } = useBackupDesk()
const newest = async (id: string) => (await desk.show(id)).newest

describe('a run', () => {
  test('is sent with a right to its repository, says how far it is, and ends with its figures', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.reconcile(id)
    const task = desk.agents.newest('backup.run')
    expect(task.params).toMatchObject({ backupId: id, box, first: true, paths: ['/'] })
    expect(await newest(id)).toMatchObject({ state: 'Started', kind: 'Fully', progress: null })
    const progress = { filesDone: 3, filesTotal: 0, bytesDone: 10, bytesTotal: 40, secondsLeft: null }
    Object.assign(task, { state: 'running', progress })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({
      ...{ state: 'Running', runningAt: start.toISOString() },
      progress: { ...progress, filesTotal: null, unreadFiles: 0 },
    })
    await desk.complete(id, { unreadFiles: 2 })
    expect(await newest(id)).toMatchObject({
      ...{ state: 'Completed', size: 34_000, newBytes: 5_000, files: 12, restorable: true },
      reason: '2 files could not be read.',
    })
    expect(await desk.show(id)).toMatchObject({ snapshots: 1, needsPassword: false })
    const last = { backupId: id, clusterId: desk.clusterId, completedAt: start }
    expect(await listLastCompleted(desk.deps.db, desk.caller.userid)).toContainEqual(last)
    expect(await desk.deps.db.selectFrom('vault_grants').selectAll().where('task_id', '=', task.id).execute()).toEqual(
      [],
    )
    await desk.runNow(id)
    expect(desk.agents.newest('backup.run').params).toMatchObject({ first: false })
    expect(desk.agents.newest('backup.run').params).not.toHaveProperty('box')
    expect(await newest(id)).toMatchObject({ kind: 'Incremental' })
  })

  test('has the meters read what is held then, and once that is taken away or given back; nothing else does', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.insertFile(id, { type: 'data', name: 'a'.repeat(64), bytes: 9000 })
    await desk.complete(id)
    await desk.runNow(id)
    await runBackup(desk.deps, desk.caller, { backupId: id })
    await cancelRun(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    expect(desk.held).toEqual([9400, 9800])
    await deleteBackup(desk.deps, desk.caller, { backupId: id })
    await deleteBackup(desk.deps, desk.caller, { backupId: id })
    expect(desk.held).toEqual([9400, 9800, 0])
    await undeleteBackup(desk.deps, desk.caller, { backupId: id })
    expect(desk.held).toEqual([9400, 9800, 0, 9800])
  })

  test('is not believed when the vault has no such snapshot', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.reconcile(id)
    const figures = { files: 1, bytes: 1, newBytes: 1, durationMs: 1, unreadFiles: 0 }
    desk.agents.end(desk.agents.newest('backup.run'), { outcome: 'done', snapshotId: 'f'.repeat(64), ...figures })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Failed',
      reason: 'The backup store did not receive the snapshot.',
    })
  })

  test('waits while the servers of its cluster are suspended, and begins once that is released', async () => {
    const { db } = desk.deps
    const id = await desk.createDaily({ runNow: true })
    await sql`insert into account_holds (id, account_id, scope, reason, text, held_by, held_at)
      select 'hd_aaaaaaaa', account_id, 'servers', 'abuse', 'why', account_id, ${start} from accounts
      where account_id = ${desk.caller.userid}`.execute(db)
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({
      state: 'Pending',
      reason: 'Waits until the suspension of this cluster is released.',
    })
    await sql`update account_holds set released_at = ${start}`.execute(db)
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Started' })
  })

  test('waits, and says for what: password, machine, restic, room', async () => {
    const id = await desk.createDaily({ box: undefined, runNow: true })
    const says = async () => {
      await desk.reconcile(id)
      const { state, reason } = (await newest(id)) ?? {}
      return `${state}: ${reason}`
    }
    expect(await says()).toBe('Pending: Waits for the backup password.')
    desk.agents.agent.connected = false
    await unlockBackup(desk.deps, desk.caller, { backupId: id, clusterId: desk.clusterId, box })
    expect(await says()).toBe('Pending: Waits for the machine, which is not connected.')
    desk.agents.agent.connected = true
    const { backups } = desk.agents.agent
    desk.agents.agent.backups = null
    expect(await says()).toContain('too old')
    desk.agents.agent.backups = backups && { ...backups, restic: null }
    expect(await says()).toContain('Install the package "restic"')
    desk.agents.agent.backups = backups
    desk.deps.config.vaultRuns = 0
    expect(await says()).toBe('Pending: Waits until other backups are done.')
    desk.deps.config.vaultRuns = 1000
    expect(await says()).toBe('Started: null')
  })

  test('of a lost machine waits again under a new task, and what the old one says changes nothing', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.reconcile(id)
    const lost = desk.agents.newest('backup.run')
    desk.agents.agent.connected = false
    clock.set(new Date(start.getTime() + 11 * 60_000))
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Pending' })
    expect(lost.isCancelAsked).toBe(true)
    Object.assign(desk.agents.agent, { connected: true, lastSeenAt: clock.now() })
    await desk.reconcile(id)
    expect(desk.agents.newest('backup.run').id).not.toBe(lost.id)
    desk.agents.end(lost, { outcome: 'failed', failure: 'failed', text: 'late' })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Started' })
    await desk.complete(id)
    expect((await desk.runs(id)).map(({ state }) => state)).toEqual(['Completed'])
  })

  test('that was under way in a copy of the database is no damage once that is restored', async () => {
    const id = await desk.createDaily()
    const first = await desk.runNow(id)
    const { snapshotId } = await runBackup(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    const before = desk.agents.newest('backup.run')
    // It ended after the copy was taken: its files got rows again, and no machine knows of the task.
    Object.assign(before, { state: 'running' })
    await desk.reconcile(id)
    expect((await desk.runs(id))[0]).toMatchObject({ snapshotId, state: 'Running' })
    await desk.insertFile(id, { type: 'snapshots', name: 'e'.repeat(64), bytes: 400 })
    desk.agents.tasks.delete(before.id)
    await desk.reconcile(id)
    expect(desk.agents.newest('backup.run').id).not.toBe(before.id)
    await desk.complete(id)
    await desk.reconcile(id)
    const runs = await desk.runs(id)
    expect(runs.map(({ state, restorable }) => [state, restorable])).toEqual(Array(3).fill(['Completed', true]))
    expect(runs.map((run) => run.snapshotId)).toEqual(expect.arrayContaining([first, snapshotId]))
    expect(await desk.damaged(id)).toEqual([])
  })

  test('that waits for a day is given up', async () => {
    const id = await desk.createDaily({ runNow: true, schedule: { every: 'month', at: '03:00', day: 1 } })
    desk.agents.agent.connected = false
    clock.set(new Date(start.getTime() + 25 * hour))
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('could not begin') })
  })

  test('is canceled at once while it waits, and by its agent while it runs', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.reconcile(id)
    const task = desk.agents.newest('backup.run')
    await cancelRun(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    expect([task.isCancelAsked, (await newest(id))?.cancelAsked]).toEqual([true, true])
    Object.assign(task, { state: 'canceled' })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Canceled', reason: null })
    await expect(cancelRun(desk.deps, desk.caller, { backupId: id })).rejects.toThrow(
      'No work of this backup is in progress.',
    )
  })

  test('that is asked for again while one is under way is that one', async () => {
    const id = await desk.createDaily({ runNow: true })
    const { snapshotId } = await runBackup(desk.deps, desk.caller, { backupId: id })
    expect((await runBackup(desk.deps, desk.caller, { backupId: id })).snapshotId).toBe(snapshotId)
    expect(await desk.runs(id)).toHaveLength(1)
  })

  test.each([
    ['disk', 'The backup store itself is full'],
    ['quota', 'There is no room left for backups in your plan'],
  ] as const)('that was refused room of the %s says whose room it is', async (refused, reason) => {
    desk.deps.vault = { ...desk.deps.vault, findRefused: async () => refused }
    const id = await desk.createDaily({ runNow: true })
    await desk.reconcile(id)
    desk.agents.end(desk.agents.newest('backup.run'), { outcome: 'failed', failure: 'quota', text: '507' })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining(reason) })
  })

  test('with a wrong password fails with the sentence of the specification, and asks for it', async () => {
    const id = await desk.createDaily({ runNow: true })
    await desk.complete(id)
    await runBackup(desk.deps, desk.caller, { backupId: id, box })
    await desk.reconcile(id)
    desk.agents.end(desk.agents.newest('backup.run'), { outcome: 'failed', failure: 'wrong_password', text: 'no key' })
    await desk.reconcile(id)
    expect(await newest(id)).toMatchObject({ state: 'Failed', reason: 'Backup password incorrect, please re-enter.' })
    expect(await desk.show(id)).toMatchObject({ needsPassword: true })
  })
})
