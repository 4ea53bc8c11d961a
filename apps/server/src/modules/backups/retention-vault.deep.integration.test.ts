/** Retention from the plan to the bytes: real restic on the real vault, with the rights that the server gives. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { taskKinds } from '@atoll/contract/agents'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import type { AgentTask } from '../agents/index.ts'
import { listSnapshotFiles, usageOf } from '../vault/index.ts'
import { restics, runRestic } from '../vault/testing/restic-programs.ts'
import { type RunningVault, runVault } from '../vault/testing/running-vault.ts'
import { grantToOwner } from './commands/backup-grant.ts'
import { restoreSnapshot, runBackup } from './commands/backup-run.ts'
import { forgetSnapshot, takeBackSnapshot } from './commands/snapshot-keeping.ts'
import { undoPrune } from './commands/undo-prune.ts'
import { insertClusterRestore } from './records/cluster-restore-store.ts'
import { openBackupHarness } from './testing/backup-harness.ts'

const program = restics['0.18']
const clock = createTestClock(new Date('2026-03-03T12:00:00Z'))
let month = 2
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
  return (...args: string[]) =>
    runRestic(program ?? '', { repository, cache: join(folder, 'cache') }, '--no-cache', ...args)
}

/** A backup of a folder that changes, with a run three days after the other, each with bytes of its own. */
async function openHistory(keep: { last: number }) {
  // No first of a month in the weeks after it: the plan would begin a run of its own before the pruning.
  month += 1
  clock.set(new Date(Date.UTC(2026, month, 3, 12)))
  const harness = await openBackupHarness(database, clock, running.vault)
  const keepRules = { ...keep, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 }
  const id = await harness.create({ keep: keepRules })
  const source = mkdtempSync(join(folder, 'drive-'))
  /** Hashes of the file, by the snapshot that holds it. */
  const hashes = new Map<string, string>()
  const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  /** Completes at once all checks and drills that are due. */
  async function settleProofs() {
    for (const task of [...harness.agents.tasks.values()]) {
      const isProof = task.kind === 'backup.check' || task.kind === 'backup.drill'
      if (isProof && task.state === 'offered') harness.agents.end(task, { outcome: 'done', durationMs: 5 })
    }
    await harness.reconcile(id)
  }
  async function run(): Promise<string> {
    clock.advance(3 * 24 * 3600_000)
    await settleProofs()
    const { snapshotId } = await runBackup(harness.deps, harness.caller, { backupId: id })
    await harness.reconcile(id)
    const task = harness.agents.newest('backup.run')
    const restic = resticOf(task)
    if (hashes.size === 0) await restic('init')
    writeFileSync(join(source, 'changing'), randomBytes(50_000))
    hashes.set(snapshotId, hash(join(source, 'changing')))
    const lines = (await restic('backup', '--json', source)).trim().split('\n')
    const { snapshot_id: made } = JSON.parse(lines.at(-1) ?? '') as { snapshot_id: string } // its summary
    // Figures of a large tree: nothing here is to look like an accident.
    const figures = { files: 1000, bytes: 1e9, newBytes: hashes.size === 1 ? 1e9 : 1e6, durationMs: 5, unreadFiles: 0 }
    harness.agents.end(task, { outcome: 'done', snapshotId: made, ...figures })
    await harness.reconcile(id)
    return snapshotId
  }
  /** Under the right of a restore that its owner asks for; the hash of what came back. */
  async function restore(snapshotId: string): Promise<string> {
    await restoreSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId, way: 'newFolder' })
    await settleProofs()
    const task = harness.agents.newest('backup.restore')
    const target = mkdtempSync(join(folder, 'back-'))
    await resticOf(task)('restore', String(task.params['snapshotId']), '--target', target)
    harness.agents.end(task, { outcome: 'done', files: 1, bytes: 50_000, durationMs: 5, folder: 'Back' })
    await harness.reconcile(id)
    return hash(join(target, source, 'changing'))
  }
  const isOffered = ({ state, isCancelAsked }: AgentTask) => state === 'offered' && !isCancelAsked
  /** Prunes as the machine is asked to, at the latest a week later. */
  async function prune() {
    const isOpen = () =>
      [...harness.agents.tasks.values()].some((each) => each.kind === 'backup.prune' && isOffered(each))
    if (!isOpen()) {
      clock.advance(7 * 24 * 3600_000)
      await harness.reconcile(id)
      await settleProofs()
    }
    const task = harness.agents.newest('backup.prune')
    const restic = resticOf(task)
    await restic('prune', '--max-unused', '0')
    return { task, restic }
  }
  const kept = async () =>
    (await harness.runs(id)).filter(({ restorable }) => restorable).map(({ snapshotId }) => snapshotId)
  return { harness, id, hashes, run, restore, prune, settleProofs, kept }
}

test.skipIf(program === undefined)(
  'forgets what the preview lists, prunes what nothing needs, and both come back from the trash whole',
  async () => {
    const { harness, id, hashes, run, restore, prune, kept } = await openHistory({ last: 2 })
    const [first, second, third] = [await run(), await run(), await run()]
    expect(await kept()).toEqual([third, second])
    const names = (await listSnapshotFiles(database.db, await harness.repositoryOf(id))).map(({ name }) => name)
    expect(names).toHaveLength(2)
    const pruning = await prune()
    const listed = async () =>
      (JSON.parse(await pruning.restic('snapshots', '--json')) as { id: string }[]).map((each) => each.id)
    // One that is to stay stays, whatever a machine asks for.
    await pruning.restic('forget', names[0] ?? '').catch(() => undefined) // older restics say nothing of a refusal
    expect((await listed()).sort()).toEqual([...names].sort())
    await pruning.restic('check', '--read-data')
    const repositoryId = await harness.repositoryOf(id)
    const { trashBytes } = await usageOf(database.db, { repositoryId })
    expect(trashBytes, 'the data of the one that went').toBeGreaterThan(50_000)
    expect(await undoPrune(database.db, 'bk_nowhere00', clock.now())).toBeUndefined()
    const undone = await undoPrune(database.db, id, clock.now())
    expect(undone).toEqual({ restored: expect.any(Number), lost: 0, snapshots: 1 })
    expect(await undoPrune(database.db, id, clock.now()), 'again there is nothing left').toEqual({
      restored: 0,
      lost: 0,
      snapshots: 0,
    })
    expect((await usageOf(database.db, { repositoryId })).trashBytes).toBe(0)
    await expect(pruning.restic('snapshots'), 'its right is over').rejects.toThrow()
    harness.agents.end(pruning.task, { outcome: 'failed', failure: 'unreachable', text: 'its right was over' })
    await harness.reconcile(id)
    expect(await kept(), 'the rules that removed it are still there').toEqual([third, second, first])
    expect(await restore(first)).toBe(hashes.get(first))
    expect(running.damaged).toEqual([])
  },
)

test.skipIf(program === undefined)(
  'what its owner forgot comes back byte for byte: after a prune, in the middle of one, and beside later snapshots',
  async () => {
    const { harness, id, hashes, run, restore, prune, kept, settleProofs } = await openHistory({ last: 5 })
    const [first, second, third] = [await run(), await run(), await run()]
    for (const snapshotId of [first, second]) {
      await forgetSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId })
    }
    await settleProofs()
    expect(await kept()).toEqual([third])
    const pruned = await prune()
    harness.agents.end(pruned.task, { outcome: 'done', durationMs: 5 })
    await harness.reconcile(id)
    const fourth = await run()
    await takeBackSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId: first })
    expect(await restore(first)).toBe(hashes.get(first))
    expect(await restore(fourth)).toBe(hashes.get(fourth))
    // In the middle of a prune that knows nothing of it: that one's right ends before anything comes back.
    await forgetSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId: third })
    const interrupted = await prune()
    for (const snapshotId of [second, third]) {
      await takeBackSnapshot(harness.deps, harness.caller, { backupId: id, snapshotId })
    }
    expect(interrupted.task.isCancelAsked).toBe(true)
    await expect(interrupted.restic('prune', '--max-unused', '0')).rejects.toThrow()
    for (const snapshotId of [first, second, third, fourth]) {
      expect([snapshotId, await restore(snapshotId)]).toEqual([snapshotId, hashes.get(snapshotId)])
    }
    expect(running.damaged).toEqual([])
  },
)

test.skipIf(program === undefined)(
  'of a plan that moved to the cluster that was made of its backup, snapshots from before and after come back whole',
  async () => {
    const { harness, id, hashes, run, restore } = await openHistory({ last: 5 })
    const first = await run()
    // The old machine is lost; the new one got the files and is activated.
    const clusterId = await harness.insertCluster()
    const { userid: owner } = harness.caller
    const restored = { backupId: id, snapshotId: first, owner, clusterId, at: clock.now(), needsPassword: false }
    await database.db.transaction().execute((trx) => insertClusterRestore(trx, restored))
    const done = { state: 'Completed', ended_at: clock.now() } as const
    await database.db.updateTable('restores').set(done).where('target_cluster_id', '=', clusterId).execute()
    harness.masters.splice(0, 1, { clusterId, clusterName: 'Manihi', instanceId: 'in_master0000' })
    harness.deps.findActiveCluster = async (_, ids) =>
      ids.includes(clusterId) ? { clusterId, clusterName: 'Manihi' } : undefined
    await harness.reconcile(id)
    expect(await harness.show(id)).toMatchObject({ clusterId, needsPassword: false, state: 'active' })
    const second = await run()
    for (const snapshotId of [first, second]) expect(await restore(snapshotId)).toBe(hashes.get(snapshotId))
    expect(running.damaged).toEqual([])
  },
)

test.skipIf(program === undefined)(
  'the command that the owner is given restores the newest snapshot with restic alone, and ends with the next one or after a day',
  async () => {
    const { harness, id, hashes, run } = await openHistory({ last: 10 })
    await expect(grantToOwner(harness.deps, harness.caller, { backupId: id })).rejects.toMatchObject({
      key: 'snapshotNotRestorable',
    })
    const newest = await run()
    const stranger = { ...harness.caller, userid: `${harness.caller.userid}x` }
    await expect(grantToOwner(harness.deps, stranger, { backupId: id })).rejects.toMatchObject({ key: 'notFound' })
    const given = await grantToOwner(harness.deps, harness.caller, { backupId: id })
    expect(Date.parse(given.until) - clock.now().getTime()).toBe(24 * 3600_000)
    const place = mkdtempSync(join(folder, 'elsewhere-'))
    const path = `${dirname(program ?? '')}:/usr/bin:/bin`
    const env = { PATH: path, HOME: place, RESTIC_PASSWORD: 'a password for tests' }
    const shell = (command: string) => promisify(execFile)('/bin/sh', ['-ec', command], { cwd: place, env })
    await shell(given.command)
    const { stdout } = await shell(`find restored -name changing -exec sha256sum {} +`)
    expect(stdout.split(' ')[0]).toBe(hashes.get(newest))

    const again = await grantToOwner(harness.deps, harness.caller, { backupId: id })
    const statusOf = async (repository: string, method: string, path: string) => {
      const { username, password, origin, pathname } = new URL(repository.slice('rest:'.length))
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      return (await fetch(`${origin}${pathname}${path}`, { method, headers: { authorization } })).status
    }
    expect(await statusOf(given.repository, 'GET', 'config')).toBe(401)
    expect(await statusOf(again.repository, 'GET', 'config')).toBe(200)
    const writes = [
      await statusOf(again.repository, 'POST', 'config'),
      await statusOf(again.repository, 'POST', `data/${'0'.repeat(64)}`),
      await statusOf(again.repository, 'DELETE', `data/${'0'.repeat(64)}`),
      await statusOf(again.repository, 'DELETE', `snapshots/${'0'.repeat(64)}`),
    ]
    expect(writes, 'nothing is added or removed with it').toEqual([403, 403, 403, 403])
    clock.advance(24 * 3600_000 + 1000)
    expect(await statusOf(again.repository, 'GET', 'config')).toBe(401)
  },
)
