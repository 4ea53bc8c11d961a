/** A proof that somebody asked for, as its page shows it from stage to stage, and its end by canceling. */
import { beforeEach, expect, test } from 'vitest'
import { proveBackup } from './commands/backup-prove.ts'
import { cancelRun } from './commands/backup-run.ts'
import { useBackupHarness } from './testing/backup-harness.ts'

const { clock, database, harness } = useBackupHarness()
let id: string

/** A backup with one run, whose machine has just left. */
beforeEach(async () => {
  id = await harness.create()
  await harness.runNow(id)
  harness.agents.agent.connected = false
})

const prove = async () => {
  await proveBackup(harness.deps, harness.caller, { backupId: id })
  await harness.reconcile(id)
}
const cancel = () => cancelRun(harness.deps, harness.caller, { backupId: id, proof: true })
const connect = async () => {
  harness.agents.agent.connected = true
  await harness.reconcile(id)
}

test('it is shown while it waits, while the machine reads and while the store does, which alone has no end', async () => {
  expect(await harness.proving(id)).toBeNull()
  await expect(cancel()).rejects.toThrow()
  await prove()
  const since = clock.now().toISOString()
  const reason = expect.stringContaining('not connected')
  expect(await harness.proving(id)).toMatchObject({ stage: 'asked', since, reason, progress: null, cancellable: true })
  await connect()
  const task = harness.agents.newest('backup.check')
  const packs = { filesDone: 3, filesTotal: 8, bytesDone: 0, bytesTotal: 0, bytesPerSecond: null, secondsLeft: 9 }
  Object.assign(task, { state: 'running', progress: packs })
  expect(await harness.proving(id)).toMatchObject({
    stage: 'reading',
    part: null,
    cancellable: true,
    progress: { filesDone: 3, filesTotal: 8, bytesTotal: null, secondsLeft: 9 },
  })
  harness.agents.end(task, { outcome: 'done', durationMs: 5 })
  clock.set(new Date(clock.now().getTime() + 1000))
  await harness.reconcile(id)
  expect(await harness.proving(id)).toMatchObject({
    stage: 'hashing',
    cancellable: false,
    progress: { filesDone: 0, filesTotal: 1 },
  })
  await expect(cancel()).rejects.toThrow()
})

test('canceled while it waits it is over at once, and on the record', async () => {
  await prove()
  await cancel()
  expect([await harness.proving(id), (await harness.show(id)).proof]).toMatchObject([
    null,
    { state: null, reason: null },
  ])
  await connect()
  expect(await harness.proving(id)).toBeNull()
  // A draft becomes a record at a moment of its own.
  const audited = await database.pool.query(
    `select action from audit_drafts where object_id = $1 union select action from audit_entries where object_id = $1`,
    [id],
  )
  expect(audited.rows).toContainEqual({ action: 'backup.cancelProof' })
})

test('canceled while the machine reads it ends with the task, proves nothing and can be requested again', async () => {
  await connect()
  await prove()
  const task = harness.agents.newest('backup.check')
  await cancel()
  expect(task.isCancelAsked).toBe(true)
  expect(await harness.proving(id)).toMatchObject({ stage: 'reading', cancellable: false, cancelAsked: true })
  Object.assign(task, { state: 'canceled' })
  await harness.reconcile(id)
  const over = { state: null, reason: null, readAt: null, damage: null }
  expect([await harness.proving(id), (await harness.show(id)).proof]).toMatchObject([null, over])
  await prove()
  expect(await harness.proving(id)).toMatchObject({ stage: 'reading', cancellable: true })
})
