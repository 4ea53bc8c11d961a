/** What becomes of snapshots: kept or forgotten, restored, deleted and taken back. */
import { describe, expect, test } from 'vitest'
import { listSnapshotFiles } from '../vault/index.ts'
import { deleteBackup, pauseBackup, undeleteBackup } from './commands/backup-change.ts'
import { restoreSnapshot, runBackup } from './commands/backup-run.ts'
import { box, start, useBackupDesk } from './testing/backup-desk.ts'
import { getBackup, listBackups, previewRetention } from './views/backup-views.ts'

const hour = 3600_000
const day = 24 * hour
const { clock, desk } = useBackupDesk()

test('what retention previews is what the agent is asked to forget, with the right to just that', async () => {
  const id = await desk.createDaily()
  for (let i = 0; i < 3; i += 1) {
    clock.set(new Date(start.getTime() + i * hour))
    await runBackup(desk.deps, desk.caller, { backupId: id })
    await desk.complete(id)
  }
  const { keep, remove } = await previewRetention(desk.deps, desk.caller.userid, { backupId: id })
  expect([keep.length, remove.length]).toEqual([2, 1])
  const task = desk.agents.newest('backup.forget')
  const oldest = (await desk.runs(id)).at(-1)?.snapshotId
  expect(remove.map(({ snapshotId }) => snapshotId)).toEqual([oldest])
  const { restic_id } = await desk.deps.db
    .selectFrom('snapshots')
    .select('restic_id')
    .where('id', '=', oldest ?? '')
    .executeTakeFirstOrThrow()
  expect(task.params['snapshots']).toEqual([restic_id])
  const grants = await desk.deps.db.selectFrom('vault_grants').selectAll().where('task_id', '=', task.id).execute()
  expect(grants).toMatchObject([{ rights: 'prune', delete_snapshots: [restic_id] }])
  desk.agents.end(task, { outcome: 'done', durationMs: 5 })
  await desk.reconcile(id)
  expect((await desk.show(id)).snapshots).toBe(2)
  expect((await desk.runs(id)).map(({ restorable }) => restorable)).toEqual([true, true, false])
  clock.set(new Date(start.getTime() + 8 * day))
  await pauseBackup(desk.deps, desk.caller, { backupId: id, paused: true })
  await desk.reconcile(id)
  const before = desk.held.length
  desk.agents.end(desk.agents.newest('backup.prune'), { outcome: 'done', durationMs: 5 })
  await desk.reconcile(id)
  // Of three runs, each with a file of 400 bytes: what pruning left is metered from then on.
  expect(desk.held.slice(before)).toEqual([1200])
  const prunes = [...desk.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  await desk.reconcile(id)
  expect(prunes).toHaveLength(1)
})

describe('a restore', () => {
  test('goes into a new folder under a right to read, and says where it is', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    const { restoreId } = await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'newFolder' })
    await desk.reconcile(id)
    const task = desk.agents.newest('backup.restore')
    expect(task.params).toMatchObject({ target: { way: 'newFolder' }, backupId: id })
    await expect(
      restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'newFolder' }),
    ).rejects.toThrow('A restore of this backup is under way')
    const figures = { files: 12, bytes: 34_000, durationMs: 70 }
    desk.agents.end(task, { outcome: 'done', ...figures, folder: 'Restored 2028-06-01 12.00' })
    await desk.reconcile(id)
    const { restores } = await getBackup(desk.deps, desk.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { restoreId, state: 'Completed', folder: 'Restored 2028-06-01 12.00', files: 12, size: 34_000 },
    ])
  })

  test('that replaces files waits for a snapshot of what is there', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    await desk.reconcile(id)
    const { restores } = await getBackup(desk.deps, desk.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([{ state: 'Pending', reason: 'Waits for the snapshot that is taken first.' }])
    await desk.complete(id)
    expect(desk.agents.newest('backup.restore').params).toMatchObject({ target: { way: 'replace', paths: ['/'] } })
  })

  test('with a wrong password says so and leaves the password that the machine has', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'newFolder', box })
    await desk.reconcile(id)
    desk.agents.end(desk.agents.newest('backup.restore'), {
      outcome: 'failed',
      failure: 'wrong_password',
      text: 'no key',
    })
    await desk.reconcile(id)
    const { restores, backup } = await getBackup(desk.deps, desk.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { state: 'Failed', reason: 'Backup password incorrect, please re-enter.', needsPassword: true },
    ])
    expect(backup.needsPassword).toBe(false)
    expect(await desk.deps.db.selectFrom('restores').select('box').where('backup_id', '=', id).execute()).toEqual([
      { box: null },
    ])
  })
})

test('what is deleted can be taken back whole for 14 days, and is gone then', async () => {
  const id = await desk.createDaily()
  await desk.runNow(id)
  const { deletedAt } = await deleteBackup(desk.deps, desk.caller, { backupId: id })
  expect(new Date(deletedAt).getTime()).toBe(clock.now().getTime() + 14 * day)
  await expect(runBackup(desk.deps, desk.caller, { backupId: id })).rejects.toThrow('is being deleted')
  expect(await desk.show(id)).toMatchObject({ state: 'deleting', actions: ['undelete'] })
  const { repo_id } = await desk.deps.db
    .selectFrom('backups')
    .select('repo_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await listSnapshotFiles(desk.deps.db, repo_id)).toEqual([])
  await undeleteBackup(desk.deps, desk.caller, { backupId: id })
  expect(await desk.show(id)).toMatchObject({ state: 'paused', snapshots: 1 })
  expect(await listSnapshotFiles(desk.deps.db, repo_id)).toHaveLength(1)
  await deleteBackup(desk.deps, desk.caller, { backupId: id })
  clock.set(new Date(start.getTime() + 15 * day))
  await desk.reconcile(id)
  await expect(desk.show(id)).rejects.toThrow('There is no such backup.')
  expect((await listBackups(desk.deps, desk.caller.userid, 'en-US')).backups).toEqual([])
})
