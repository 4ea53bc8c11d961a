/**
 * Reading and restoring chosen files of a snapshot: boxes are passed on sealed, and only the owner's machine is asked.
 */
import { taskKinds } from '@atoll/contract/agents'
import { backupRestore } from '@atoll/contract/backups'
import { beforeEach, describe, expect, test } from 'vitest'
import { grantToMaster } from './commands/backup-grant.ts'
import { restoreSnapshot } from './commands/backup-run.ts'
import { lookAtSnapshot, readLook } from './commands/look.ts'
import { useBackupHarness } from './testing/backup-harness.ts'
import { getBackup } from './views/backup-views.ts'

const box = 'e30..QUESTION.AAAA.AAAA'
const page = 'e30..PAGE.AAAA.AAAA'
const choice = 'e30..CHOICE.AAAA.AAAA'
const { clock, database, harness } = useBackupHarness()

async function stored() {
  const backupId = await harness.create()
  const snapshotId = await harness.runNow(backupId)
  return { backupId, snapshotId }
}
const look = (of: { backupId: string; snapshotId: string }) =>
  lookAtSnapshot(harness.deps, harness.caller, { ...of, box })
const read = (backupId: string, lookId: string) => readLook(harness.deps, harness.caller, { backupId, lookId }, 'en-US')
const newest = () => harness.agents.newest('backup.look')

test('a question goes to the machine as it came, and the answer back', async () => {
  const of = await stored()
  const { lookId } = await look(of)
  const { restic_id } = await database.db
    .selectFrom('snapshots')
    .select('restic_id')
    .where('id', '=', of.snapshotId)
    .executeTakeFirstOrThrow()
  expect(taskKinds['backup.look'].params.parse(newest().params)).toEqual({
    backupId: of.backupId,
    snapshotId: restic_id,
    box,
  })
  expect(newest().instanceId).toBe('in_master0000')
  expect(await read(of.backupId, lookId)).toEqual({ state: 'waiting', page: null, needsPassword: false, reason: null })
  harness.agents.end(newest(), { outcome: 'done', page })
  expect(await read(of.backupId, lookId)).toEqual({ state: 'done', page, needsPassword: false, reason: null })
})

test.each([
  ['no_password', true, 'Waits for the backup password.'],
  ['wrong_password', true, 'Backup password incorrect, please re-enter.'],
  ['unreachable', false, 'The machine could not reach the backup store.'],
  ['failed', false, 'The files could not be listed. Try again.'],
])('says in plain words why there is none: %s', async (failure, needsPassword, reason) => {
  const of = await stored()
  const { lookId } = await look(of)
  harness.agents.end(newest(), { outcome: 'failed', failure, text: 'The files of the snapshot were not listed.' })
  expect(await read(of.backupId, lookId)).toEqual({ state: 'failed', page: null, needsPassword, reason })
})

test('an agent that does not know the task is a look that failed', async () => {
  const of = await stored()
  const { lookId } = await look(of)
  Object.assign(newest(), { state: 'failed', reason: 'This agent does not know the task' })
  expect(await read(of.backupId, lookId)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('Try again'),
  })
})

test("another machine's look, another task and another owner's backup are none", async () => {
  const of = await stored()
  const other = await harness.create({ name: 'Other', schedule: { every: 'day', at: '05:00' } })
  const { lookId } = await look(of)
  const missing = { key: 'notFound' }
  harness.agents.end(newest(), { outcome: 'done', page })
  Object.assign(newest(), { instanceId: 'in_another000' })
  expect(await read(of.backupId, lookId)).toMatchObject({ state: 'failed', page: null })
  expect(await read(of.backupId, harness.agents.newest('backup.run').id)).toMatchObject({ state: 'failed', page: null })
  await expect(look({ ...of, backupId: other })).rejects.toMatchObject(missing)
  const stranger = { ...harness.caller, userid: 'us_stranger0' }
  await expect(lookAtSnapshot(harness.deps, stranger, { ...of, box })).rejects.toMatchObject(missing)
  await expect(readLook(harness.deps, stranger, { backupId: of.backupId, lookId }, 'en-US')).rejects.toMatchObject(
    missing,
  )
})

test('a machine is asked two things at a time, and what it does not answer is given up', async () => {
  const of = await stored()
  await look(of)
  const first = newest()
  await look(of)
  await expect(look(of)).rejects.toMatchObject({ key: 'backupLooksTooMany' })
  harness.agents.end(first, { outcome: 'done', page })
  await look(of)
  const unanswered = newest()
  clock.advance(61_000)
  await look(of)
  expect(unanswered.isCancelAsked).toBe(true)
})

test('a machine that is offline, a snapshot that is not kept and a backup that is deleted are not asked', async () => {
  const of = await stored()
  harness.agents.agent.connected = false
  await expect(look(of)).rejects.toMatchObject({ key: 'backupMachineOffline' })
  harness.agents.agent.connected = true
  await database.db
    .updateTable('snapshots')
    .set({ forgotten_at: clock.now() })
    .where('id', '=', of.snapshotId)
    .execute()
  await expect(look(of)).rejects.toMatchObject({ key: 'snapshotNotRestorable' })
  expect([...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.look')).toEqual([])
})

test.each(['newFolder', 'beside', 'replace'] as const)(
  'chosen files go to the machine in their box: %s',
  async (way) => {
    const of = await stored()
    await restoreSnapshot(harness.deps, harness.caller, { ...of, way, choice })
    await harness.reconcile(of.backupId)
    if (way === 'replace') await harness.complete(of.backupId)
    const task = harness.agents.newest('backup.restore')
    expect(task.params).toMatchObject({ choice, target: { way } })
    harness.agents.end(task, { outcome: 'done', files: 3, bytes: 90, durationMs: 5, folder: null })
    await harness.reconcile(of.backupId)
    const row = await database.db
      .selectFrom('restores')
      .select(['state', 'way', 'choice'])
      .where('backup_id', '=', of.backupId)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ state: 'Completed', way, choice: null })
  },
)

test('chosen files that are not there are said to be chosen files, not folders of the backup', async () => {
  const of = await stored()
  await restoreSnapshot(harness.deps, harness.caller, { ...of, way: 'beside', choice })
  await harness.reconcile(of.backupId)
  const failed = { outcome: 'failed', failure: 'bad_path', text: 'Chosen files are not in the snapshot.' }
  harness.agents.end(harness.agents.newest('backup.restore'), failed)
  await harness.reconcile(of.backupId)
  const { reason } = await database.db
    .selectFrom('restores')
    .select('reason')
    .where('backup_id', '=', of.backupId)
    .executeTakeFirstOrThrow()
  expect(JSON.parse(reason ?? '')).toEqual({ key: 'backupChoiceGone' })
})

describe('while its machine is away, another cluster of the owner', () => {
  const reader = { instanceId: 'in_reader0000', agentToken: 'a'.repeat(43) }
  let clusterId: string
  beforeEach(async () => {
    clusterId = await harness.insertCluster()
    harness.masters.push({ clusterId, clusterName: 'Manihi', instanceId: reader.instanceId })
    harness.agents.others.push({ ...harness.agents.agent, instanceId: reader.instanceId })
  })

  test('lists the files, and may read the store only while it is asked to', async () => {
    const of = await stored()
    harness.agents.agent.connected = false
    const grant = () => grantToMaster(harness.deps, { ...reader, backupId: of.backupId }, null)
    await expect(grant()).rejects.toMatchObject({ key: 'notFound' })
    const { lookId } = await lookAtSnapshot(harness.deps, harness.caller, { ...of, clusterId, box })
    expect(newest().instanceId).toBe(reader.instanceId)
    expect((await grant()).repository.url).toContain(await harness.repositoryOf(of.backupId))
    harness.agents.end(newest(), { outcome: 'done', page })
    expect(await read(of.backupId, lookId)).toMatchObject({ state: 'done', page })
    await expect(grant()).rejects.toMatchObject({ key: 'notFound' })
    const strange = lookAtSnapshot(harness.deps, harness.caller, { ...of, clusterId: 'cl_stranger00', box })
    await expect(strange).rejects.toMatchObject({ key: 'backupClusterGone' })
  })

  test.each([
    ['is done', { outcome: 'done', files: 3, bytes: 90, durationMs: 5, folder: 'Restored' }, { state: 'Completed' }],
    [
      'has no password',
      { outcome: 'failed', failure: 'no_password', text: '' },
      { state: 'Failed', needs_password: true, reason: '{"key":"backupPasswordWrong"}' },
    ],
    [
      'has the wrong password',
      { outcome: 'failed', failure: 'wrong_password', text: '' },
      { state: 'Failed', needs_password: true },
    ],
  ])('restores into a new folder of its own, and says that it %s', async (_, result, row) => {
    const of = await stored()
    harness.agents.agent.connected = false
    await restoreSnapshot(harness.deps, harness.caller, { ...of, way: 'newFolder', choice, clusterId })
    await harness.reconcile(of.backupId)
    const task = harness.agents.newest('backup.restore')
    expect(task).toMatchObject({ instanceId: reader.instanceId, params: { choice, target: { way: 'newFolder' } } })
    harness.agents.end(task, result)
    await harness.reconcile(of.backupId)
    const { db } = database
    const restores = db.selectFrom('restores').selectAll().where('backup_id', '=', of.backupId)
    expect(await restores.execute()).toMatchObject([row])
    const plan = db.selectFrom('backups').select(['password', 'box']).where('id', '=', of.backupId)
    expect(await plan.executeTakeFirst(), 'its own machine knows what it knew').toEqual({ password: 'kept', box: null })
    const { restores: shown } = await getBackup(harness.deps, harness.caller.userid, of.backupId, 'en-US')
    expect(shown).toMatchObject([{ target: { clusterId } }])
  })
})

test('beside what is there only chosen files come back', () => {
  const of = { backupId: 'bk_aaaaaaaa', snapshotId: 'sn_aaaaaaaa', way: 'beside' }
  expect(backupRestore.body.safeParse(of).error?.issues).toMatchObject([{ path: ['way'], message: 'choiceNeeded' }])
  expect(backupRestore.body.safeParse({ ...of, choice }).success).toBe(true)
  const there = backupRestore.body.safeParse({ ...of, choice, clusterId: 'cl_aaaaaaaa' })
  expect(there.error?.issues).toMatchObject([{ path: ['way'], message: 'newFolderThere' }])
})
