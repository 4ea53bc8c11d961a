/** Drills as the server has them made: when, of what, what becomes of each answer, and who is notified. */
import { beforeEach, expect, test } from 'vitest'
import { pauseBackup } from './commands/backup-change.ts'
import { cancelRun } from './commands/backup-run.ts'
import { useBackupHarness } from './testing/backup-harness.ts'

const day = 24 * 3600_000
const root = 'ab'.repeat(32)
const apart = ['0123456789abcdef']
const came = { outcome: 'done', root, files: 40, bytes: 4000, warnings: 0, durationMs: 5 }
const { clock, database, harness } = useBackupHarness()
let id: string
let snapshotId: string

/** A backup with one snapshot whose root is known, a day ago. */
beforeEach(async () => {
  id = await harness.create()
  snapshotId = await harness.runNow(id, { files: 40, manifest: { root, files: 40, apart } })
  // No slot comes in between.
  await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
  await harness.reconcile(id)
  expect(drills(), 'not before a day').toEqual([])
  clock.advance(day)
  await harness.settleCheck(id)
})

const drills = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.drill')
const drill = async () => (await harness.show(id)).proof.drill
async function endDrill(result: Record<string, unknown>) {
  harness.agents.end(harness.agents.newest('backup.drill'), result)
  clock.advance(1000)
  await harness.reconcile(id)
}

test('a drill is asked for with a right to read alone and no word of the root, and one that passes is the proof', async () => {
  expect(drills()).toMatchObject([{ params: { backupId: id, paths: ['/'], apart } }])
  const [task] = drills()
  expect(JSON.stringify(task?.params)).not.toContain(root)
  const grant = database.db
    .selectFrom('vault_grants')
    .select('rights')
    .where('task_id', '=', task?.id ?? '')
  expect(await grant.execute()).toEqual([{ rights: 'read' }])
  const begunAt = clock.now().toISOString()
  await endDrill(came)
  expect(await drill()).toEqual({ at: begunAt, passed: true, files: 40, equal: 40, reason: null, sameHost: true })
  expect((await harness.runs(id)).map(({ proof }) => proof)).toEqual([{ level: 'drilled', at: begunAt }])
  const proofs = database.db
    .selectFrom('proofs')
    .select(['passed', 'snapshot_id', 'bytes'])
    .where('backup_id', '=', id)
    .where('level', '=', 'drilled')
  expect(await proofs.execute()).toEqual([{ passed: true, snapshot_id: snapshotId, bytes: 4000 }])
  expect(harness.mails).toEqual([])
  clock.advance(29 * day)
  await harness.settleCheck(id)
  expect(drills(), 'once a month').toHaveLength(1)
  clock.advance(day)
  await harness.settleCheck(id)
  expect(drills()).toHaveLength(2)
})

test.each([
  ['another root', { root: 'cd'.repeat(32) }, 'What came back is not what was backed up.'],
  ['no root', { root: null }, 'What came back is not what was backed up.'],
  ['a file less', { files: 39 }, 'What came back is not what was backed up.'],
  ['nothing', { files: 0 }, 'No file came back.'],
  ['a warning', { warnings: 1 }, 'Restoring it brought warnings.'],
])('%s does not pass, and is mailed', async (_, lie, reason) => {
  await endDrill({ ...came, ...lie })
  expect(await drill()).toMatchObject({ passed: false, equal: null, reason })
  expect(harness.written()).toMatchObject([{ subject: 'The drill of the backup Everything failed' }])
  expect((await harness.runs(id)).map(({ proof }) => proof?.level)).not.toContain('drilled')
})

test('one that fails alike each day is tried each day and mailed once; another failure is mailed, and the same after a pass', async () => {
  const again = async (result: Record<string, unknown>) => {
    const before = drills().length
    clock.advance(day)
    await harness.settleCheck(id)
    expect(drills()).toHaveLength(before + 1)
    await endDrill(result)
  }
  await endDrill({ ...came, files: 39 })
  await again({ ...came, files: 39 })
  await again({ ...came, files: 39 })
  expect(harness.mails).toHaveLength(1)
  await again({ ...came, warnings: 2 })
  expect(harness.mails).toHaveLength(2)
  await again(came)
  expect(await drill()).toMatchObject({ passed: true })
  clock.advance(29 * day)
  await again({ ...came, warnings: 2 })
  expect(harness.mails).toHaveLength(3)
})

test('what only stood in its way is no proof of anything and mailed to nobody; damage is', async () => {
  await endDrill({ outcome: 'failed', failure: 'no_room', text: 'disk full' })
  expect([await drill(), harness.mails]).toEqual([null, []])
  clock.advance(day)
  await harness.settleCheck(id)
  await endDrill({ outcome: 'failed', failure: 'damaged', text: 'Pack ID does not match' })
  expect(await drill()).toMatchObject({ passed: false, reason: expect.stringContaining('damaged') })
  expect(harness.mails).toHaveLength(1)
})

test('a drill whose machine is lost ends without a word, and its right with it', async () => {
  const [task] = drills()
  harness.masters.length = 0
  await harness.reconcile(id)
  expect([await drill(), harness.mails]).toEqual([null, []])
  const open = database.db
    .selectFrom('vault_grants')
    .select('rights')
    .where('task_id', '=', task?.id ?? '')
    .where('until', '>', clock.now())
  expect(await open.execute()).toEqual([])
})

test('one under way is shown with how far it is; canceled it proves nothing, is mailed to nobody and comes a day later', async () => {
  const task = harness.agents.newest('backup.drill')
  const since = clock.now().toISOString()
  expect(await harness.proving(id)).toMatchObject({
    stage: 'drilling',
    since,
    part: null,
    progress: null,
    cancellable: true,
  })
  const counted = { filesDone: 10, filesTotal: 0, bytesDone: 1000, bytesTotal: 4000, bytesPerSecond: 5 }
  Object.assign(task, { state: 'running', progress: { ...counted, secondsLeft: 600 } })
  expect(await harness.proving(id)).toMatchObject({ progress: { filesTotal: null, bytesDone: 1000, bytesTotal: 4000 } })
  await cancelRun(harness.deps, harness.caller, { backupId: id, proof: true })
  expect(task.isCancelAsked).toBe(true)
  expect(await harness.proving(id)).toMatchObject({ cancellable: false, cancelAsked: true })
  Object.assign(task, { state: 'canceled' })
  await harness.reconcile(id)
  expect([await harness.proving(id), await drill(), harness.mails]).toEqual([null, null, []])
  expect(drills()).toHaveLength(1)
  clock.advance(day)
  await harness.settleCheck(id)
  expect(drills()).toHaveLength(2)
})
