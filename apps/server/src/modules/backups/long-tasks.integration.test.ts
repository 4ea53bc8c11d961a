/** A task that works longer than its right to the repository lasts: the right is renewed while it reports progress. */
import { afterEach, expect, test } from 'vitest'
import type { AgentTask } from '../agents/index.ts'
import { runBackup } from './commands/backup-run.ts'
import { createBackupEvents } from './index.ts'
import { useBackupHarness } from './testing/backup-harness.ts'

const { harness, clock, database } = useBackupHarness()
const hourMs = 3600_000
afterEach(async () => {
  await database.pool.query('delete from vault_grants')
})

const report = (task: AgentTask) =>
  database.db
    .transaction()
    .execute((trx) => createBackupEvents({ clock, ...harness.deps.vault }).onTaskChange(trx, task))
const hoursLeft = async (task: AgentTask) => {
  const row = await database.db
    .selectFrom('vault_grants')
    .select('until')
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  return (row.until.getTime() - clock.now().getTime()) / hourMs
}

test('a run of two days keeps its right as long as it reports progress, and no longer', async () => {
  const id = await harness.create()
  await runBackup(harness.deps, harness.caller, { backupId: id })
  await harness.reconcile(id)
  const task = harness.agents.newest('backup.run')
  Object.assign(task, { state: 'running' })
  clock.advance(13 * hourMs)
  await report(task)
  expect(await hoursLeft(task), 'without progress').toBe(11)
  for (let hour = 13; hour < 50; hour += 6) {
    Object.assign(task, { progress: { files: hour } })
    await report(task)
    expect(await hoursLeft(task)).toBeGreaterThanOrEqual(12)
    clock.advance(6 * hourMs)
  }
  clock.advance(24 * hourMs)
  await report(task)
  expect(await hoursLeft(task), 'what ended stays so').toBeLessThanOrEqual(0)
})

test('so does a prune, for an hour at a time', async () => {
  const id = await harness.create()
  const { deps } = harness
  const repositoryId = await harness.repositoryOf(id)
  await harness.runNow(id)
  const until = new Date(clock.now().getTime() + hourMs)
  await database.db
    .transaction()
    .execute((trx) => deps.vault.grant(trx, { repositoryId, right: 'prune', taskId: 'at_prune', until }))
  await database.db
    .insertInto('backup_chores')
    .values({
      id: 'bc_prune',
      backup_id: id,
      owner: harness.caller.userid,
      kind: 'prune',
      snapshots: '[]',
      task_id: 'at_prune',
      created_at: clock.now(),
    })
    .execute()
  const task = {
    ...harness.agents.newest('backup.run'),
    id: 'at_prune',
    kind: 'backup.prune',
    state: 'running' as const,
  }
  clock.advance(29 * 60_000)
  await report({ ...task, progress: { files: 1 } })
  expect(await hoursLeft(task)).toBeCloseTo(31 / 60)
  clock.advance(2 * 60_000)
  await report({ ...task, progress: { files: 2 } })
  expect(await hoursLeft(task)).toBe(1)
})
