/** The life of snapshots: kept or forgotten, restored, deleted and taken back. */
import { describe, expect, test } from 'vitest'
import { listSnapshotFiles } from '../vault/index.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from './commands/backup-change.ts'
import { cancelRun, restoreSnapshot, runBackup } from './commands/backup-run.ts'
import { box, start, useBackupDesk } from './testing/backup-desk.ts'
import { getBackup, listBackups, previewRetention } from './views/backup-views.ts'

const hour = 3600_000
const day = 24 * hour
const { clock, desk } = useBackupDesk()

test('what retention previews is what is forgotten, with the machine away; pruning waits for a week and for it', async () => {
  const id = await desk.createDaily()
  for (let i = 0; i < 3; i += 1) {
    clock.set(new Date(start.getTime() + i * 30 * hour))
    await desk.settleCheck(id)
    await runBackup(desk.deps, desk.caller, { backupId: id })
    if (i < 2) await desk.complete(id)
  }
  const [third, second, first] = (await desk.runs(id)).map(({ snapshotId }) => snapshotId)
  const before = await previewRetention(desk.deps, desk.caller.userid, { backupId: id })
  expect([before.keep.map(({ snapshotId }) => snapshotId), before.remove]).toEqual([[second, first], []])
  await desk.complete(id)
  desk.agents.agent.connected = false
  await desk.reconcile(id)
  expect((await desk.show(id)).snapshots).toBe(2)
  expect((await desk.runs(id)).map(({ snapshotId, restorable }) => [snapshotId, restorable])).toEqual([
    ...[[third, true] as const, [second, true] as const, [first, false] as const],
  ])
  expect([...desk.agents.tasks.values()].filter(({ kind }) => kind === 'backup.forget')).toEqual([])
  clock.set(new Date(start.getTime() + 12 * day))
  await pauseBackup(desk.deps, desk.caller, { backupId: id, paused: true })
  await desk.reconcile(id)
  const prunes = () => [...desk.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  expect(prunes()).toEqual([])
  desk.agents.agent.connected = true
  await desk.settleCheck(id)
  await desk.reconcile(id)
  const grants = await desk.deps.db
    .selectFrom('vault_grants')
    .selectAll()
    .where('task_id', '=', prunes()[0]?.id ?? '')
    .execute()
  expect(grants, 'no machine may delete a snapshot').toMatchObject([{ rights: 'prune', delete_snapshots: [] }])
  const held = desk.held.length
  desk.agents.end(desk.agents.newest('backup.prune'), { outcome: 'done', durationMs: 5 })
  await desk.reconcile(id)
  // Of three runs, each with a file of 400 bytes, one was forgotten: what pruning left is metered from then on.
  expect(desk.held.slice(held)).toEqual([800])
  await desk.reconcile(id)
  expect(prunes()).toHaveLength(1)
})

test.each([
  ['that failed once it had begun', true],
  ['that worked, with nothing forgotten', false],
])('after a run %s its packs are pruned with nothing forgotten: %s', async (_, hasFailed) => {
  const id = await desk.createDaily()
  await desk.runNow(id)
  if (hasFailed) {
    await runBackup(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    desk.agents.end(desk.agents.newest('backup.run'), { outcome: 'failed', failure: 'no_room', text: 'disk full' })
    await desk.reconcile(id)
    expect((await desk.runs(id))[0]).toMatchObject({ state: 'Failed' })
  }
  await pauseBackup(desk.deps, desk.caller, { backupId: id, paused: true })
  const prunes = () => [...desk.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  clock.set(new Date(start.getTime() + 6 * day))
  await desk.settleCheck(id)
  await desk.reconcile(id)
  expect(prunes()).toEqual([])
  clock.set(new Date(start.getTime() + 8 * day))
  await desk.settleCheck(id)
  await desk.reconcile(id)
  expect(prunes()).toHaveLength(hasFailed ? 1 : 0)
  const own = desk.deps.db.selectFrom('snapshots').select('id').where('backup_id', '=', id)
  expect(await own.where('forgotten_at', 'is not', null).execute()).toEqual([])
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
    ).rejects.toThrow('A restore of this backup is in progress')
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
    const safetyId = await desk.complete(id)
    const task = desk.agents.newest('backup.restore')
    expect(task.params).toMatchObject({ target: { way: 'replace', paths: ['/'], safetyId } })
    const kept = { folder: 'Before the restore of 2028-06-01 12.00', files: 3, isWhole: false }
    desk.agents.end(task, { outcome: 'done', files: 12, bytes: 34_000, durationMs: 70, folder: null, kept })
    await desk.reconcile(id)
    expect((await getBackup(desk.deps, desk.caller.userid, id, 'en-US')).restores).toMatchObject([
      { state: 'Completed', kept },
    ])
  })

  test('that replaces files takes a new snapshot, not the one of a run that is under way', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    const { snapshotId: earlier } = await runBackup(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    const earlierId = await desk.complete(id)
    expect(() => desk.agents.newest('backup.restore')).toThrow('No task')
    const open = (await desk.runs(id)).find(({ endedAt }) => endedAt === null)
    expect(open?.snapshotId).toMatch(/^sn_/)
    expect(open?.snapshotId).not.toBe(earlier)
    const safetyId = await desk.complete(id)
    expect(safetyId).not.toBe(earlierId)
    expect(desk.agents.newest('backup.restore').params).toMatchObject({ target: { safetyId } })
  })

  test('that replaces files of another folder than the plan has now takes a snapshot of both', async () => {
    const id = await desk.createDaily({ paths: ['/Photos'] })
    const snapshotId = await desk.runNow(id)
    await updateBackup(desk.deps, desk.caller, { backupId: id, paths: ['/Music'] })
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    await desk.reconcile(id)
    expect(desk.agents.newest('backup.run').params).toMatchObject({ paths: ['/Music', '/Photos'] })
  })

  test.each([
    ['over quota', { outcome: 'failed', failure: 'quota', text: '507' }],
    ['of an empty drive', { outcome: 'failed', failure: 'failed', text: 'snapshot is empty' }],
    ['of folders that are gone', { outcome: 'failed', failure: 'bad_path', text: 'None of the paths is there.' }],
    ['of a damaged repository', { outcome: 'failed', failure: 'damaged', text: 'ciphertext verification failed' }],
  ])('that replaces files goes on where no snapshot can be taken first: %s', async (_, result) => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    await desk.reconcile(id)
    desk.agents.end(desk.agents.newest('backup.run'), result)
    await desk.reconcile(id)
    expect(desk.agents.newest('backup.restore').params['target']).toEqual({
      ...{ way: 'replace', paths: ['/'], safetyId: null },
    })
  })

  test('that replaces files ends with the snapshot that is canceled, and waits for another where it is given up', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    desk.agents.agent.connected = false
    await desk.reconcile(id)
    clock.set(new Date(clock.now().getTime() + 2 * day))
    await desk.reconcile(id)
    const shown = async () => (await getBackup(desk.deps, desk.caller.userid, id, 'en-US')).restores
    expect(await shown()).toMatchObject([{ state: 'Pending' }])
    desk.agents.agent.connected = true
    await desk.reconcile(id)
    await desk.complete(id)
    const safetyId = await desk.complete(id)
    expect(desk.agents.newest('backup.restore').params).toMatchObject({ target: { safetyId } })
    desk.agents.end(desk.agents.newest('backup.restore'), { outcome: 'failed', failure: 'not_moved', text: '/a' })
    await desk.reconcile(id)
    expect(await shown()).toMatchObject([{ state: 'Failed', reason: 'Nothing was replaced: /a' }])
    await restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace' })
    desk.agents.agent.connected = false
    await desk.reconcile(id)
    await cancelRun(desk.deps, desk.caller, { backupId: id })
    await desk.reconcile(id)
    expect((await shown())[0]).toMatchObject({
      state: 'Failed',
      reason: expect.stringContaining('nothing was replaced'),
    })
  })

  test('that replaces files on a repaired machine serves the run before it and the plan with its password', async () => {
    const id = await desk.createDaily()
    const snapshotId = await desk.runNow(id)
    const ask = () => restoreSnapshot(desk.deps, desk.caller, { backupId: id, snapshotId, way: 'replace', box })
    await ask()
    await desk.reconcile(id)
    // The new machine keeps none, whatever is known of the old one.
    const none = { outcome: 'failed', failure: 'no_password', text: 'none is kept' }
    desk.agents.end(desk.agents.newest('backup.run'), none)
    await desk.reconcile(id)
    expect(desk.agents.newest('backup.run').params).toMatchObject({ box })
    desk.agents.end(desk.agents.newest('backup.run'), { ...none, failure: 'wrong_password' })
    await desk.reconcile(id)
    const newest = async () => (await getBackup(desk.deps, desk.caller.userid, id, 'en-US')).restores[0]
    expect(await newest()).toMatchObject({
      ...{ state: 'Failed', needsPassword: true, reason: 'Backup password incorrect, please re-enter.' },
    })
    await ask()
    await desk.complete(id)
    expect(desk.agents.newest('backup.restore').params).toMatchObject({ target: { way: 'replace' } })
    expect((await desk.show(id)).needsPassword).toBe(false)
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
