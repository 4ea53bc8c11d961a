/** The owner changes the password of a backup while its machine holds it: what the machine is asked, and may remove. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { taskKinds } from '@atoll/contract/agents'
import { afterAll, expect, test } from 'vitest'
import { restics, runRestic } from '../vault/testing/restic-programs.ts'
import { runVault } from '../vault/testing/running-vault.ts'
import { changePassword, runBackup } from './commands/backup-run.ts'
import { undoPrune } from './commands/undo-prune.ts'
import { openBackupHarness, useBackupHarness } from './testing/backup-harness.ts'

const newBox = 'e30..BBBB.BBBB.BBBB'
const { clock, database, harness } = useBackupHarness()
const folder = mkdtempSync(join(tmpdir(), 'atoll-passwords-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function stored() {
  const id = await harness.create()
  await harness.insertFile(id, { type: 'keys', name: 'a'.repeat(64), bytes: 450 })
  await harness.runNow(id)
  return id
}
const ask = (id: string, box = newBox) => changePassword(harness.deps, harness.caller, { backupId: id, box })
const changes = () => [...harness.agents.tasks.values()].filter(({ kind }) => kind === 'backup.password')

test('is asked of the machine with the right to remove the one old key, and shown until it is done', async () => {
  const id = await stored()
  expect((await harness.show(id)).actions).toContain('changePassword')
  await ask(id)
  expect((await harness.show(id)).passwordChange).toEqual({ isWanted: true, reason: null })
  await harness.reconcile(id)
  const task = harness.agents.newest('backup.password')
  expect(task.params).toMatchObject({ backupId: id, box: newBox, oldKey: 'a'.repeat(64) })
  const { grantId } = taskKinds['backup.password'].params.parse(task.params).repository
  const grant = database.db.selectFrom('vault_grants').select(['rights', 'delete_key']).where('id', '=', grantId)
  expect(await grant.executeTakeFirst()).toEqual({ rights: 'prune', delete_key: 'a'.repeat(64) })
  await expect(ask(id)).rejects.toMatchObject({ key: 'backupPasswordChanges' })

  harness.agents.end(task, { outcome: 'done', durationMs: 5, left: 0 })
  await harness.reconcile(id)
  expect((await harness.show(id)).passwordChange).toBeNull()
  expect(await grant.executeTakeFirst()).toBeUndefined()
  await harness.reconcile(id)
  expect(changes()).toHaveLength(1)
})

test('goes on until no key is left of changes that were cut off, and says why it failed', async () => {
  const id = await stored()
  clock.advance(1000)
  await harness.insertFile(id, { type: 'keys', name: 'b'.repeat(64), bytes: 450 })
  const asked = () => changes().map(({ params }) => String(params['oldKey'])[0])
  await ask(id)
  await harness.reconcile(id)
  harness.agents.end(harness.agents.newest('backup.password'), { outcome: 'done', durationMs: 5, left: 1 })
  await harness.reconcile(id)
  expect(asked()).toEqual(['a', 'b'])
  const failed = { outcome: 'failed', failure: 'unfit_password', text: 'No key is made with it.' }
  harness.agents.end(harness.agents.newest('backup.password'), failed)
  await harness.reconcile(id)
  expect((await harness.show(id)).passwordChange).toEqual({
    isWanted: false,
    reason: expect.stringContaining('This password cannot be used'),
  })
  // The next try takes the notice away, and begins with the oldest again. A machine whose keys never get fewer is asked
  // about each of them once.
  await ask(id)
  expect((await harness.show(id)).passwordChange).toEqual({ isWanted: true, reason: null })
  for (const _ of 'ab') {
    await harness.reconcile(id)
    harness.agents.end(harness.agents.newest('backup.password'), { outcome: 'done', durationMs: 5, left: 2 })
  }
  await harness.reconcile(id)
  expect(asked()).toEqual(['a', 'b', 'a', 'b'])
  expect((await harness.show(id)).passwordChange).toBeNull()
})

test('a machine that was lost is asked about the same key when it returns, and a destroyed one is not asked', async () => {
  const id = await stored()
  await ask(id)
  await harness.reconcile(id)
  harness.agents.agent.connected = false
  harness.agents.agent.lastSeenAt = clock.now()
  clock.advance(11 * 60_000)
  await harness.reconcile(id)
  expect((await harness.show(id)).passwordChange).toEqual({ isWanted: true, reason: null })
  harness.agents.agent.connected = true
  await harness.reconcile(id)
  expect(changes().map(({ params, isCancelAsked }) => [String(params['oldKey'])[0], isCancelAsked])).toEqual([
    ['a', true],
    ['a', false],
  ])
  harness.agents.end(harness.agents.newest('backup.password'), { outcome: 'done', durationMs: 5, left: 0 })
  await harness.reconcile(id)
  harness.agents.agent.connected = false
  await ask(id)
  harness.masters.splice(0)
  await harness.reconcile(id)
  expect((await harness.show(id)).passwordChange).toEqual({ isWanted: false, reason: 'The cluster is gone.' })
})

test('waits for the machine, where another one may take its place, and is refused where the machine has none', async () => {
  const id = await stored()
  harness.agents.agent.connected = false
  await ask(id, 'e30..CCCC.CCCC.CCCC')
  await harness.reconcile(id)
  expect(changes()).toEqual([])
  await ask(id)
  harness.agents.agent.connected = true
  await harness.reconcile(id)
  expect(changes().map(({ params }) => params['box'])).toEqual([newBox])

  const other = await harness.create({ name: 'Never run', schedule: { every: 'month', at: '05:00', day: 2 } })
  expect((await harness.show(other)).actions).not.toContain('changePassword')
  await expect(ask(other)).rejects.toMatchObject({ key: 'backupPasswordNotKept' })
})

const program = restics['0.18']

test.skipIf(program === undefined)(
  'is done by restic with what the machine is given, and afterwards the new password alone opens all snapshots',
  async () => {
    await using stack = new AsyncDisposableStack()
    const running = await runVault(database, { clock })
    stack.defer(() => running.close())
    const real = await openBackupHarness(database, clock, running.vault)
    const id = await real.create()
    const restic = (task: { params: Record<string, unknown> }, password: string, ...args: string[]) => {
      const { url, grantId, token } = taskKinds['backup.prune'].params.parse(task.params).repository
      const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
      const env = { RESTIC_PASSWORD: password }
      return runRestic(program ?? '', { repository, cache: join(folder, 'cache'), env }, '--no-cache', ...args)
    }
    const source = mkdtempSync(join(folder, 'drive-'))
    writeFileSync(join(source, 'file'), randomBytes(50_000))
    const run = async (password: string) => {
      await runBackup(real.deps, real.caller, { backupId: id })
      await real.reconcile(id)
      const task = real.agents.newest('backup.run')
      if (task.params['first'] === true) await restic(task, password, 'init')
      const lines = (await restic(task, password, 'backup', '--json', source)).trim().split('\n')
      const { snapshot_id: snapshotId } = JSON.parse(lines.at(-1) ?? '') as { snapshot_id: string } // its summary
      const figures = { files: 1, bytes: 50_000, newBytes: 50_000, durationMs: 5, unreadFiles: 0 }
      real.agents.end(task, { outcome: 'done', snapshotId, ...figures })
      await real.reconcile(id)
    }
    await run('the first password')
    await changePassword(real.deps, real.caller, { backupId: id, box: newBox })
    await real.reconcile(id)
    const task = real.agents.newest('backup.password')
    const wanted = join(folder, 'wanted')
    writeFileSync(wanted, 'the second password')
    await restic(task, 'the first password', 'key', 'add', `--new-password-file=${wanted}`)
    await restic(task, 'the second password', 'key', 'remove', String(task.params['oldKey']))
    await expect(restic(task, 'the first password', 'snapshots')).rejects.toThrow(/wrong password/)
    expect(JSON.parse(await restic(task, 'the second password', 'snapshots', '--json'))).toHaveLength(1)
    real.agents.end(task, { outcome: 'done', durationMs: 5, left: 0 })
    // Undoing a prune restores no keys.
    expect(await undoPrune(database.db, id, clock.now())).toEqual({ restored: 0, lost: 0, snapshots: 0 })
    await real.reconcile(id)
    expect((await real.show(id)).passwordChange).toBeNull()
    clock.advance(3600_000)
    await run('the second password')
    expect((await real.show(id)).snapshots).toBe(2)
  },
)
