/** Damage, proofs and alarms: what becomes of a backup, who is notified, and what nothing is forgotten for. */
import { describe, expect, test } from 'vitest'
import { answerAlarm, proveBackup } from './commands/backup-prove.ts'
import { noteDamagedFile } from './reconcile/warn.ts'
import { insertProof, listProved } from './records/proof-store.ts'
import { useBackupHarness } from './testing/backup-harness.ts'
import { listOldProofs } from './views/old-proofs.ts'

const hour = 3600_000
const day = 24 * hour
const { clock, database, harness } = useBackupHarness()

const proofOf = async (id: string) => (await harness.show(id)).proof
const checks = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.check')
const audited = async (id: string) =>
  (
    await database.pool.query(
      `select action, actor from audit_drafts where object_id = $1
       union all select action, actor from audit_entries where object_id = $1`,
      [id],
    )
  ).rows
/** The vault reads all files of a repository now. */
async function scrub(id: string) {
  const { db } = database
  await db
    .updateTable('vault_files')
    .set({ scrubbed_at: clock.now() })
    .where('repo_id', '=', await harness.repositoryOf(id))
    .execute()
}
async function damage(id: string) {
  const of = { repositoryId: await harness.repositoryOf(id), type: 'data', name: 'ab'.repeat(32), at: clock.now() }
  await database.db.transaction().execute((trx) => noteDamagedFile(trx, of))
  await harness.reconcile(id)
}
/** Ends the newest check. */
async function endCheck(id: string, result: Record<string, unknown> = { outcome: 'done', durationMs: 5 }) {
  harness.agents.end(harness.agents.newest('backup.check'), result)
  clock.advance(1000)
  await harness.reconcile(id)
}

/** How many snapshots of a backup are no longer kept. */
async function forgotten(id: string): Promise<number> {
  return (await harness.runs(id)).filter((run) => run.forgotten !== null).length
}

describe('reading back', () => {
  test('begins a day after the first run, goes through all parts, and is as old as the oldest of them', async () => {
    const id = await harness.create()
    await harness.runNow(id)
    await harness.insertFile(id, { type: 'data', name: 'd'.repeat(64), bytes: 3e9 })
    await harness.reconcile(id)
    expect(checks()).toEqual([])
    clock.advance(day)
    await harness.reconcile(id)
    expect(checks()).toMatchObject([{ params: { part: { k: 1, n: 2 }, backupId: id } }])
    const firstAt = clock.now()
    const grants = database.db
      .selectFrom('vault_grants')
      .select('rights')
      .where('task_id', '=', checks()[0]?.id ?? '')
    expect(await grants.execute()).toEqual([{ rights: 'read' }])
    await endCheck(id)
    expect(await proofOf(id)).toMatchObject({ readAt: null })
    expect(checks()).toHaveLength(1)
    clock.advance(14 * day)
    await harness.reconcile(id)
    expect(harness.agents.newest('backup.check').params).toMatchObject({ part: { k: 2, n: 2 } })
    await endCheck(id)
    expect(await proofOf(id)).toMatchObject({ readAt: firstAt.toISOString(), damage: null })
    expect((await harness.runs(id)).map(({ proof }) => proof)).toEqual([{ level: 'read', at: firstAt.toISOString() }])
    expect(await listProved(database.db, harness.caller.userid)).toMatchObject([{ backupId: id, provedAt: firstAt }])
  })

  test('that is old has an age in days: since the first run, then by its oldest part, in whatever parts it was read', async () => {
    const age = async () =>
      (await listOldProofs(database.db, clock.now())).find(({ clusterId }) => clusterId === harness.clusterId)
    const read = async (part: number, parts: number) => {
      const backup = { id, owner: harness.caller.userid }
      const proof = { level: 'read' as const, passed: true, at: clock.now(), part, parts }
      await database.db.transaction().execute((trx) => insertProof(trx, backup, proof))
    }
    const id = await harness.create()
    clock.advance(50 * day)
    expect(await age()).toBeUndefined()
    await harness.runNow(id)
    clock.advance(10 * day)
    expect(await age()).toMatchObject({ subject: 'Everything', value: expect.closeTo(10, 2) })
    await read(1, 2)
    clock.advance(10 * day)
    expect(await age()).toMatchObject({ value: expect.closeTo(20, 2) })
    await read(2, 2)
    expect(await age()).toMatchObject({ value: expect.closeTo(10, 2) })
    // A larger repository is read in more parts: what was read in fewer still counts.
    clock.advance(10 * day)
    await read(1, 4)
    expect(await age()).toMatchObject({ value: expect.closeTo(20, 2) })
    await read(3, 4)
    expect(await age()).toMatchObject({ value: expect.closeTo(10, 2) })
    clock.advance(day)
    await damage(id)
    expect(await age()).toBeUndefined()
    clock.advance(5 * day)
    expect(await age()).toMatchObject({ value: expect.closeTo(5, 2) })
    const { db } = database
    await db.updateTable('backups').set({ state: 'paused', next_at: null }).where('id', '=', id).execute()
    expect(await age()).toBeUndefined()
  })

  test('that fails for now is tried again in an hour, and no damage is reported', async () => {
    const id = await harness.create()
    await harness.runNow(id)
    clock.advance(day)
    await harness.reconcile(id)
    await endCheck(id, { outcome: 'failed', failure: 'unreachable', text: 'connection refused' })
    await harness.reconcile(id)
    expect(checks()).toHaveLength(1)
    clock.advance(hour)
    await harness.reconcile(id)
    expect(checks()).toHaveLength(2)
    const subjects = harness.written().map(({ subject }) => subject)
    expect(subjects).toEqual(['The backup Everything could not be verified'])
    expect(await proofOf(id)).toMatchObject({ damage: null })
  })

  test('on request is everything at once, by the machine and then by the store; asked for again it is that one', async () => {
    const id = await harness.create()
    await expect(proveBackup(harness.deps, harness.caller, { backupId: id })).rejects.toThrow(
      'This backup has stored nothing yet',
    )
    await harness.runNow(id)
    harness.agents.agent.connected = false
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    expect(await proofOf(id)).toMatchObject({ state: 'asked', reason: expect.stringContaining('not connected') })
    expect((await harness.show(id)).actions).not.toContain('prove')
    harness.agents.agent.connected = true
    await harness.reconcile(id)
    const begunAt = clock.now().toISOString()
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    expect(await proofOf(id)).toMatchObject({ state: 'reading', reason: null })
    expect(checks()).toMatchObject([{ params: { part: { k: 1, n: 1 } } }])
    await endCheck(id)
    expect(await proofOf(id)).toMatchObject({ state: 'hashing' })
    const due = database.db
      .selectFrom('vault_files')
      .select('scrub_at')
      .where('repo_id', '=', await harness.repositoryOf(id))
    expect((await due.execute()).every(({ scrub_at }) => scrub_at <= clock.now())).toBe(true)
    await harness.reconcile(id)
    expect(await proofOf(id)).toMatchObject({ state: 'hashing' })
    await scrub(id)
    await harness.reconcile(id)
    expect(await proofOf(id)).toMatchObject({ state: null, readAt: begunAt, damage: null })
    expect(await audited(id)).toContainEqual({ action: 'backup.prove', actor: harness.caller.did })
  })

  test('on request reports why it could not be had', async () => {
    const id = await harness.create()
    await harness.runNow(id)
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await endCheck(id, { outcome: 'failed', failure: 'unreachable', text: 'no route' })
    expect(await proofOf(id)).toMatchObject({ state: null, reason: 'The machine could not reach the backup store.' })
  })
})

describe('damage', () => {
  test('found by the store revokes the proof, is reported once, and ends when all reads well', async () => {
    const id = await harness.create()
    await harness.runNow(id)
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await endCheck(id)
    await scrub(id)
    await harness.reconcile(id)
    expect((await proofOf(id)).readAt).not.toBeNull()
    await damage(id)
    await damage(id)
    expect(await proofOf(id)).toMatchObject({
      readAt: null,
      damage: { reason: `A stored file is not what was written: data/${'ab'.repeat(5)}….` },
    })
    expect((await harness.runs(id)).map(({ proof }) => proof)).toEqual([null])
    expect(harness.written()).toMatchObject([{ subject: 'The backup Everything is damaged' }])
    expect(await audited(id)).toContainEqual({ action: 'backup.damage', actor: null })
    clock.advance(hour)
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await endCheck(id)
    await scrub(id)
    await harness.reconcile(id)
    expect(await proofOf(id)).toMatchObject({ damage: null, readAt: expect.any(String) })
    await damage(id)
    expect(harness.written()).toHaveLength(2)
  })

  test('is listed by file, and while it lasts nothing is forgotten: nobody knows which snapshots are whole', async () => {
    const id = await harness.create()
    for (let run = 0; run < 2; run += 1) {
      await harness.runNow(id)
      clock.advance(hour)
    }
    await harness.insertFile(id, { type: 'data', name: 'ab'.repeat(32), bytes: 70 })
    const bad = { bad_at: clock.now() }
    await database.db.updateTable('vault_files').set(bad).where('name', '=', 'ab'.repeat(32)).execute()
    await damage(id)
    await harness.runNow(id)
    expect(await forgotten(id)).toBe(0)
    expect(await harness.damaged(id)).toEqual([
      { type: 'data', name: 'ab'.repeat(32), bytes: 70, storedAt: expect.any(String), snapshotAt: null },
    ])
    clock.advance(3 * day)
    await database.db.updateTable('vault_files').set({ bad_at: null }).where('name', '=', 'ab'.repeat(32)).execute()
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await endCheck(id)
    await scrub(id)
    await harness.reconcile(id)
    expect([await forgotten(id), await harness.damaged(id)]).toEqual([1, []])
  })

  test('found by the machine is the same; in Chinese to an owner who reads that', async () => {
    const { db } = database
    await db.updateTable('accounts').set({ locale: 'zh-CN' }).where('account_id', '=', harness.caller.userid).execute()
    const id = await harness.create()
    await harness.runNow(id)
    await proveBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    await endCheck(id, { outcome: 'failed', failure: 'damaged', text: 'Pack ID does not match' })
    expect(await proofOf(id)).toMatchObject({
      state: null,
      readAt: null,
      reason: null,
      damage: { at: expect.any(String) },
    })
    expect(harness.written()).toMatchObject([{ subject: '备份 Everything 已损坏' }])
  })
})

describe('an alarm', () => {
  const large = { files: 1000, bytes: 1e9, newBytes: 1e6 }
  async function alarmed(more: Record<string, unknown>) {
    const id = await harness.create()
    await harness.runNow(id, { ...large, newBytes: 1e9 })
    clock.advance(hour)
    await harness.runNow(id, large)
    clock.advance(hour)
    expect((await harness.show(id)).alarm).toBeNull()
    const snapshotId = await harness.runNow(id, { ...large, ...more })
    return { id, snapshotId }
  }

  test('of 70 % that is rewritten suspends forgetting, until the owner says that it was them', async () => {
    const { id, snapshotId } = await alarmed({ newBytes: 0.7e9 })
    expect((await harness.show(id)).alarm).toMatchObject({ kind: 'rewrite', percent: 70, snapshotId, held: false })
    expect(harness.written()).toMatchObject([{ subject: '70 % of the backup Everything is new' }])
    expect(await audited(id)).toContainEqual({ action: 'backup.alarm', actor: null })
    clock.advance(hour)
    await harness.runNow(id, { ...large, newBytes: 0.9e9 })
    expect([await forgotten(id), harness.written().length]).toEqual([0, 1])
    const answer = { backupId: id, snapshotId }
    await answerAlarm(harness.deps, harness.caller, { ...answer, expected: false })
    clock.advance(20 * day)
    await harness.reconcile(id)
    expect([await forgotten(id), (await harness.show(id)).alarm]).toMatchObject([0, { held: true }])
    await endCheck(id)
    await answerAlarm(harness.deps, harness.caller, { ...answer, expected: true })
    await harness.reconcile(id)
    expect((await harness.show(id)).alarm).toBeNull()
    expect(await forgotten(id)).toBe(2)
    await expect(answerAlarm(harness.deps, harness.caller, { ...answer, expected: true })).rejects.toThrow('already')
    expect(await audited(id)).toContainEqual({ action: 'backup.answerAlarm', actor: harness.caller.did })
  })

  test('of a third that is gone is not raised again by the runs after the one that was expected', async () => {
    const { id, snapshotId } = await alarmed({ files: 600, bytes: 0.6e9 })
    expect((await harness.show(id)).alarm).toMatchObject({ kind: 'shrink', percent: 40 })
    await answerAlarm(harness.deps, harness.caller, { backupId: id, snapshotId, expected: true })
    clock.advance(hour)
    await harness.runNow(id, { files: 600, bytes: 0.6e9, newBytes: 1e6 })
    expect((await harness.show(id)).alarm).toBeNull()
    clock.advance(hour)
    await harness.runNow(id, { files: 100, bytes: 0.1e9, newBytes: 1e6 })
    expect((await harness.show(id)).alarm).toMatchObject({ kind: 'shrink' })
  })
})

test('the newest snapshot that is proved is kept, whatever the rules say', async () => {
  const id = await harness.create()
  const proved = await harness.runNow(id)
  clock.advance(1000)
  await proveBackup(harness.deps, harness.caller, { backupId: id })
  await harness.reconcile(id)
  await endCheck(id)
  await scrub(id)
  await harness.reconcile(id)
  for (let run = 0; run < 4; run += 1) {
    clock.advance(3 * day)
    await harness.settleChores(id)
    await harness.runNow(id)
  }
  const kept = (await harness.runs(id)).filter(({ restorable }) => restorable)
  expect(kept).toHaveLength(3)
  expect(kept.at(-1)?.snapshotId).toBe(proved)
})
