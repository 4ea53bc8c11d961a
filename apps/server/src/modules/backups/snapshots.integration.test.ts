/** The life of snapshots: kept or forgotten, restored, deleted and taken back. */
import { describe, expect, test } from 'vitest'
import { listSnapshotFiles } from '../vault/index.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from './commands/backup-change.ts'
import { cancelRun, restoreSnapshot, runBackup } from './commands/backup-run.ts'
import { box, start, useBackupHarness } from './testing/backup-harness.ts'
import { getBackup, listBackups, previewRetention } from './views/backup-views.ts'

const hour = 3600_000
const day = 24 * hour
const { clock, harness } = useBackupHarness()

test('what retention previews is what is forgotten, with the machine away; pruning waits for a week and for it', async () => {
  const id = await harness.createDaily()
  for (let i = 0; i < 3; i += 1) {
    clock.set(new Date(start.getTime() + i * 30 * hour))
    await harness.settleCheck(id)
    await runBackup(harness.deps, harness.caller, { backupId: id })
    if (i < 2) await harness.complete(id)
  }
  const [third, second, first] = (await harness.runs(id)).map(({ snapshotId }) => snapshotId)
  const before = await previewRetention(harness.deps, harness.caller.userid, { backupId: id })
  expect([before.keep.map(({ snapshotId }) => snapshotId), before.remove]).toEqual([[second, first], []])
  await harness.complete(id)
  harness.agents.agent.connected = false
  await harness.reconcile(id)
  expect((await harness.show(id)).snapshots).toBe(2)
  expect((await harness.runs(id)).map(({ snapshotId, restorable }) => [snapshotId, restorable])).toEqual([
    ...[[third, true] as const, [second, true] as const, [first, false] as const],
  ])
  expect([...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.forget')).toEqual([])
  clock.set(new Date(start.getTime() + 12 * day))
  await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
  await harness.reconcile(id)
  const prunes = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  expect(prunes()).toEqual([])
  harness.agents.agent.connected = true
  await harness.settleCheck(id)
  await harness.reconcile(id)
  const grants = await harness.deps.db
    .selectFrom('vault_grants')
    .selectAll()
    .where('task_id', '=', prunes()[0]?.id ?? '')
    .execute()
  expect(grants, 'no machine may delete a snapshot').toMatchObject([{ rights: 'prune', delete_snapshots: [] }])
  const held = harness.held.length
  harness.agents.end(harness.agents.newest('backup.prune'), { outcome: 'done', durationMs: 5 })
  await harness.reconcile(id)
  // Of three runs, each with a file of 400 bytes, one was forgotten: what pruning left is metered from then on.
  expect(harness.held.slice(held)).toEqual([800])
  await harness.reconcile(id)
  expect(prunes()).toHaveLength(1)
})

test.each([
  ['that failed once it had begun', true],
  ['that worked, with nothing forgotten', false],
])('after a run %s its packs are pruned with nothing forgotten: %s', async (_, hasFailed) => {
  const id = await harness.createDaily()
  await harness.runNow(id)
  if (hasFailed) {
    await runBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.run'), {
      outcome: 'failed',
      failure: 'no_room',
      text: 'disk full',
    })
    await harness.reconcile(id)
    expect((await harness.runs(id))[0]).toMatchObject({ state: 'Failed' })
  }
  await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
  const prunes = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.prune')
  clock.set(new Date(start.getTime() + 6 * day))
  await harness.settleCheck(id)
  await harness.reconcile(id)
  expect(prunes()).toEqual([])
  clock.set(new Date(start.getTime() + 8 * day))
  await harness.settleCheck(id)
  await harness.reconcile(id)
  expect(prunes()).toHaveLength(hasFailed ? 1 : 0)
  const own = harness.deps.db.selectFrom('snapshots').select('id').where('backup_id', '=', id)
  expect(await own.where('forgotten_at', 'is not', null).execute()).toEqual([])
})

describe('a restore', () => {
  test('goes into a new folder under a right to read, and says where it is', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    const { restoreId } = await restoreSnapshot(harness.deps, harness.caller, {
      backupId: id,
      snapshotId,
      way: 'newFolder',
    })
    await harness.reconcile(id)
    const task = harness.agents.newest('backup.restore')
    expect(task.params).toMatchObject({ target: { way: 'newFolder' }, backupId: id })
    await expect(
      restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'newFolder' }),
    ).rejects.toThrow('A restore of this backup is in progress')
    const figures = { files: 12, bytes: 34_000, durationMs: 70 }
    harness.agents.end(task, { outcome: 'done', ...figures, folder: 'Restored 2028-06-01 12.00' })
    await harness.reconcile(id)
    const { restores } = await getBackup(harness.deps, harness.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { restoreId, state: 'Completed', folder: 'Restored 2028-06-01 12.00', files: 12, size: 34_000 },
    ])
  })

  test('that replaces files waits for a snapshot of what is there', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    await harness.reconcile(id)
    const { restores } = await getBackup(harness.deps, harness.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([{ state: 'Pending', reason: 'Waits for the snapshot that is taken first.' }])
    const safetyId = await harness.complete(id)
    const task = harness.agents.newest('backup.restore')
    expect(task.params).toMatchObject({ target: { way: 'replace', paths: ['/'], safetyId } })
    const kept = { folder: 'Before the restore of 2028-06-01 12.00', files: 3, isWhole: false }
    harness.agents.end(task, { outcome: 'done', files: 12, bytes: 34_000, durationMs: 70, folder: null, kept })
    await harness.reconcile(id)
    expect((await getBackup(harness.deps, harness.caller.userid, id, 'en-US')).restores).toMatchObject([
      { state: 'Completed', kept },
    ])
  })

  test('that replaces files takes a new snapshot, not the one of a run that is under way', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    const { snapshotId: earlier } = await runBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    const earlierId = await harness.complete(id)
    expect(() => harness.agents.newest('backup.restore')).toThrow('No task')
    const open = (await harness.runs(id)).find(({ endedAt }) => endedAt === null)
    expect(open?.snapshotId).toMatch(/^sn_/)
    expect(open?.snapshotId).not.toBe(earlier)
    const safetyId = await harness.complete(id)
    expect(safetyId).not.toBe(earlierId)
    expect(harness.agents.newest('backup.restore').params).toMatchObject({ target: { safetyId } })
  })

  test('that replaces files of another folder than the plan has now takes a snapshot of both', async () => {
    const id = await harness.createDaily({ paths: ['/Photos'] })
    const snapshotId = await harness.runNow(id)
    await updateBackup(harness.deps, harness.caller, { backupId: id, paths: ['/Music'] })
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.run').params).toMatchObject({ paths: ['/Music', '/Photos'] })
  })

  test.each([
    ['over quota', { outcome: 'failed', failure: 'quota', text: '507' }],
    ['of an empty drive', { outcome: 'failed', failure: 'failed', text: 'snapshot is empty' }],
    ['of folders that are gone', { outcome: 'failed', failure: 'bad_path', text: 'None of the paths is there.' }],
    ['of a damaged repository', { outcome: 'failed', failure: 'damaged', text: 'ciphertext verification failed' }],
  ])('that replaces files goes on where no snapshot can be taken first: %s', async (_, result) => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.run'), result)
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.restore').params['target']).toEqual({
      way: 'replace',
      paths: ['/'],
      safetyId: null,
    })
  })

  test('that replaces files trusts no snapshot that was forgotten before the machine is asked', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    await harness.reconcile(id)
    harness.agents.agent.connected = false
    const safetyId = await harness.complete(id)
    expect(() => harness.agents.newest('backup.restore')).toThrow('No task')
    const forgotten = { forgotten_at: clock.now() }
    await harness.deps.db.updateTable('snapshots').set(forgotten).where('restic_id', '=', safetyId).execute()
    harness.agents.agent.connected = true
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.restore').params).toMatchObject({ target: { safetyId: null } })
  })

  test('that replaces files ends with the snapshot that is canceled, and waits for another where it is given up', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    harness.agents.agent.connected = false
    await harness.reconcile(id)
    clock.set(new Date(clock.now().getTime() + 2 * day))
    await harness.reconcile(id)
    const shown = async () => (await getBackup(harness.deps, harness.caller.userid, id, 'en-US')).restores
    expect(await shown()).toMatchObject([{ state: 'Pending' }])
    harness.agents.agent.connected = true
    await harness.reconcile(id)
    await harness.complete(id)
    const safetyId = await harness.complete(id)
    expect(harness.agents.newest('backup.restore').params).toMatchObject({ target: { safetyId } })
    harness.agents.end(harness.agents.newest('backup.restore'), { outcome: 'failed', failure: 'not_moved', text: '/a' })
    await harness.reconcile(id)
    expect(await shown()).toMatchObject([{ state: 'Failed', reason: 'Nothing was replaced: /a' }])
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace' })
    harness.agents.agent.connected = false
    await harness.reconcile(id)
    await cancelRun(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    expect((await shown())[0]).toMatchObject({
      state: 'Failed',
      reason: expect.stringContaining('nothing was replaced'),
    })
  })

  test('that replaces files on a repaired machine serves the run before it and the plan with its password', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    const ask = () => restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'replace', box })
    await ask()
    await harness.reconcile(id)
    // The new machine keeps none, whatever is known of the old one.
    const none = { outcome: 'failed', failure: 'no_password', text: 'none is kept' }
    harness.agents.end(harness.agents.newest('backup.run'), none)
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.run').params).toMatchObject({ box })
    harness.agents.end(harness.agents.newest('backup.run'), { ...none, failure: 'wrong_password' })
    await harness.reconcile(id)
    const newest = async () => (await getBackup(harness.deps, harness.caller.userid, id, 'en-US')).restores[0]
    expect(await newest()).toMatchObject({
      state: 'Failed',
      needsPassword: true,
      reason: 'Backup password incorrect, please re-enter.',
    })
    await ask()
    await harness.complete(id)
    expect(harness.agents.newest('backup.restore').params).toMatchObject({ target: { way: 'replace' } })
    expect((await harness.show(id)).needsPassword).toBe(false)
  })

  test('with a wrong password says so and leaves the password that the machine has', async () => {
    const id = await harness.createDaily()
    const snapshotId = await harness.runNow(id)
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'newFolder', box })
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.restore'), {
      outcome: 'failed',
      failure: 'wrong_password',
      text: 'no key',
    })
    await harness.reconcile(id)
    const { restores, backup } = await getBackup(harness.deps, harness.caller.userid, id, 'en-US')
    expect(restores).toMatchObject([
      { state: 'Failed', reason: 'Backup password incorrect, please re-enter.', needsPassword: true },
    ])
    expect(backup.needsPassword).toBe(false)
    expect(await harness.deps.db.selectFrom('restores').select('box').where('backup_id', '=', id).execute()).toEqual([
      { box: null },
    ])
  })
})

test('what is deleted can be taken back whole for 14 days, and is gone then', async () => {
  const id = await harness.createDaily()
  await harness.runNow(id)
  const { deletedAt } = await deleteBackup(harness.deps, harness.caller, { backupId: id })
  expect(new Date(deletedAt).getTime()).toBe(clock.now().getTime() + 14 * day)
  await expect(runBackup(harness.deps, harness.caller, { backupId: id })).rejects.toThrow('is being deleted')
  expect(await harness.show(id)).toMatchObject({ state: 'deleting', actions: ['undelete'] })
  const { repo_id } = await harness.deps.db
    .selectFrom('backups')
    .select('repo_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await listSnapshotFiles(harness.deps.db, repo_id)).toEqual([])
  await undeleteBackup(harness.deps, harness.caller, { backupId: id })
  expect(await harness.show(id)).toMatchObject({ state: 'paused', snapshots: 1 })
  expect(await listSnapshotFiles(harness.deps.db, repo_id)).toHaveLength(1)
  await deleteBackup(harness.deps, harness.caller, { backupId: id })
  clock.set(new Date(start.getTime() + 15 * day))
  await harness.reconcile(id)
  await expect(harness.show(id)).rejects.toThrow('There is no such backup.')
  expect((await listBackups(harness.deps, harness.caller.userid, 'en-US')).backups).toEqual([])
})
