/** Retention from the plan to the bytes: real restic on the real vault, with the rights that the server gives. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { taskKinds } from '@atoll/contract/agents'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import type { AgentTask } from '../agents/index.ts'
import { usageOf } from '../vault/index.ts'
import { restics, runRestic } from '../vault/testing/restic-programs.ts'
import { type RunningVault, runVault } from '../vault/testing/running-vault.ts'
import { runBackup } from './commands/backup-run.ts'
import { undoPrune } from './commands/undo-prune.ts'
import { openBackupDesk } from './testing/backup-desk.ts'
import { previewRetention } from './views/backup-views.ts'

const program = restics['0.18']
// No first of a month in the week after it: the plan would begin a run of its own before the pruning.
const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
const database = useDatabase()
let running: RunningVault
let folder: string
beforeAll(async () => {
  running = await runVault(database, { clock })
  folder = mkdtempSync(join(tmpdir(), 'atoll-kept-'))
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

/** As an agent reaches the repository with what its task brought. */
function resticOf(task: AgentTask) {
  const { url, grantId, token } = taskKinds['backup.prune'].params.parse(task.params).repository
  const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
  const restic = (...args: string[]) =>
    runRestic(program ?? '', { repository, cache: join(folder, 'cache') }, '--no-cache', ...args)
  return { restic }
}

test.skipIf(program === undefined)(
  'forgets what the preview lists, prunes what nothing needs, and both come back from the trash whole',
  async () => {
    const desk = await openBackupDesk(database, clock, running.vault)
    const id = await desk.create()
    const source = join(folder, 'drive')
    mkdirSync(source)
    for (const run of [1, 2, 3]) {
      clock.advance(60_000)
      await runBackup(desk.deps, desk.caller, { backupId: id })
      await desk.reconcile(id)
      const task = desk.agents.newest('backup.run')
      const { restic } = resticOf(task)
      if (run === 1) await restic('init')
      writeFileSync(join(source, 'changing'), randomBytes(50_000))
      const lines = (await restic('backup', '--json', source)).trim().split('\n')
      const { snapshot_id: snapshotId } = JSON.parse(lines.at(-1) ?? '') as { snapshot_id: string } // its summary
      // Figures of a large tree: nothing here is to look like an accident.
      const figures = { files: 1000, bytes: 1e9, newBytes: run === 1 ? 1e9 : 1e6, durationMs: 5, unreadFiles: 0 }
      desk.agents.end(task, { outcome: 'done', snapshotId, ...figures })
      clock.advance(1000)
      const { keep, remove } = await previewRetention(desk.deps, desk.caller.userid, { backupId: id })
      expect([keep.length, remove.length], 'what is not settled is not listed').toEqual([run - 1, 0])
      // The last one settles the run and finds in the same pass that one is too many.
      if (run < 3) await desk.reconcile(id)
    }
    await desk.reconcile(id)
    const preview = await previewRetention(desk.deps, desk.caller.userid, { backupId: id })
    expect([preview.keep.length, preview.remove.length]).toEqual([2, 1])
    const namesOf = async (ids: string[]) => {
      const rows = await database.db.selectFrom('snapshots').select('restic_id').where('id', 'in', ids).execute()
      return rows.map(({ restic_id }) => restic_id ?? '').sort()
    }
    const [kept, gone] = [
      await namesOf(preview.keep.map(({ snapshotId }) => snapshotId)),
      await namesOf(preview.remove.map(({ snapshotId }) => snapshotId)),
    ]
    const forgetting = desk.agents.newest('backup.forget')
    expect(taskKinds['backup.forget'].params.parse(forgetting.params).snapshots).toEqual(gone)
    const forget = resticOf(forgetting)
    // One that is to stay stays, whatever a machine asks for.
    await forget.restic('forget', kept[0] ?? '')
    await forget.restic('forget', ...gone)
    desk.agents.end(forgetting, { outcome: 'done', durationMs: 5 })
    clock.advance(1000)
    await desk.reconcile(id)
    const list = async (restic: ReturnType<typeof resticOf>['restic']) =>
      (JSON.parse(await restic('snapshots', '--json')) as { id: string }[]).map((each) => each.id).sort()
    await expect(forget.restic('snapshots'), 'its right ends with its task').rejects.toThrow()
    expect((await desk.runs(id)).filter(({ restorable }) => restorable)).toHaveLength(2)

    clock.advance(7 * 24 * 3600_000)
    // What else is due in a week is done first.
    for (const kind of ['backup.check', 'backup.drill'] as const) {
      for (const task of desk.agents.tasks.values()) {
        if (task.kind === kind && task.state === 'offered') desk.agents.end(task, { outcome: 'done', durationMs: 5 })
      }
    }
    await desk.reconcile(id)
    const pruning = desk.agents.newest('backup.prune')
    const prune = resticOf(pruning)
    expect(await list(prune.restic)).toEqual(kept)
    await prune.restic('prune', '--max-unused', '0')
    await prune.restic('check', '--read-data')
    const repositoryId = await desk.repositoryOf(id)
    const { trashBytes } = await usageOf(database.db, { repositoryId })
    expect(trashBytes, 'the data of the one that went').toBeGreaterThan(50_000)
    expect(await undoPrune(database.db, 'bk_nowhere00')).toBeUndefined()
    expect(await undoPrune(database.db, id)).toEqual({ restored: expect.any(Number), lost: 0, snapshots: 1 })
    expect((await desk.runs(id)).filter(({ restorable }) => restorable)).toHaveLength(3)
    expect(await undoPrune(database.db, id), 'again there is nothing left').toEqual({
      ...{ restored: 0, lost: 0, snapshots: 0 },
    })
    expect((await usageOf(database.db, { repositoryId })).trashBytes).toBe(0)
    expect(await list(prune.restic)).toEqual([...kept, ...gone].sort())
    await prune.restic('check', '--read-data')
    desk.agents.end(pruning, { outcome: 'done', durationMs: 5 })
    clock.advance(1000)
    await desk.reconcile(id)
    expect(running.damaged).toEqual([])
  },
  180_000,
)
