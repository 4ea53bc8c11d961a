/** Requirements after the database was restored from a copy that is older than the vault. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock, type ObjectStore, runObjectStore } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beCareful, endCareful } from '../../../platform/careful/index.ts'
import { createSealer, newId } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { createDriver, type VaultPlace } from '../../vault/drivers/create-driver.ts'
import { writePlanFiles } from '../../vault/maintenance/plan-files.ts'
import { restics, runRestic } from '../../vault/testing/restic-programs.ts'
import { bucketOf, type RunningVault, runVault } from '../../vault/testing/running-vault.ts'
import { pauseBackup, updateBackup } from '../commands/backup-change.ts'
import { runBackup } from '../commands/backup-run.ts'
import { reindexBackups } from '../commands/reindex.ts'
import { planFiles } from '../records/plan-file-store.ts'
import { type BackupHarness, openBackupHarness, start } from './backup-harness.ts'

const restic = restics['0.18'] ?? restics['0.14']
const sealer = createSealer(Buffer.alloc(32, 7))
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

export function testReindex(kind: 'folder' | 's3'): void {
  const clock = createTestClock(start)
  const database = useDatabase()

  describe.skipIf(restic === undefined)(`on the driver ${kind}`, () => {
    let store: ObjectStore | undefined
    let running: RunningVault
    let place: VaultPlace
    let scratch: string
    let harness: BackupHarness
    let source: string
    beforeAll(async () => {
      store = kind === 's3' ? await runObjectStore() : undefined
      const bucket = store && bucketOf(store)
      running = await runVault(database, { clock, planFiles: planFiles(sealer), ...(bucket && { bucket }) })
      place = { vaultDir: running.folder, vaultBucket: bucket }
      scratch = mkdtempSync(join(tmpdir(), 'atoll-reindex-'))
    })
    afterAll(async () => {
      await running.close()
      await store?.[Symbol.asyncDispose]()
      rmSync(scratch, { recursive: true, force: true })
    })
    beforeEach(async () => {
      clock.set(start)
      harness = await openBackupHarness(database, clock, running.vault)
      source = mkdtempSync(join(scratch, 'source-'))
    })

    /** As an agent with this right does. */
    async function through(backupId: string, right: 'read' | 'write', ...args: string[]): Promise<string> {
      const repositoryId = await harness.repositoryOf(backupId)
      const until = new Date(clock.now().getTime() + 3600_000)
      const asked = { repositoryId, right, taskId: newId('at'), until }
      const { url, grantId, token } = await database.db.transaction().execute((trx) => running.vault.grant(trx, asked))
      const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
      return await runRestic(restic ?? '', { repository, cache: join(scratch, 'cache') }, ...args)
    }
    function writeFiles(): Map<string, string> {
      const files = ['a', 'b', 'deep/c'].map((name) => join(source, name))
      mkdirSync(join(source, 'deep'), { recursive: true })
      for (const path of files) writeFileSync(path, randomBytes(100_000))
      return new Map(files.map((path) => [path, hashOf(path)]))
    }
    async function expectRestored(backupId: string, snapshot: string, files: Map<string, string>): Promise<void> {
      const target = mkdtempSync(join(scratch, 'restored-'))
      await through(backupId, 'read', 'restore', snapshot, '--target', target)
      for (const [path, hash] of files) expect(hashOf(join(target, path))).toBe(hash)
    }
    const reindex = (key = sealer) => reindexBackups({ db: database.db, place, sealer: key, now: clock.now() })
    const planOf = async (id: string) =>
      (await database.pool.query('select * from backups where id = $1', [id])).rows[0]
    const rowsOf = async (id: string) =>
      (await database.pool.query('select * from snapshots where backup_id = $1 order by received_at, created_at', [id]))
        .rows
    const driver = () => createDriver(database.db, place)

    /** As in a database that was copied before the plan was made. */
    async function forgetPlan(id: string): Promise<string> {
      const repositoryId = await harness.repositoryOf(id)
      for (const table of ['vault_files', 'vault_grants', 'vault_grant_history', 'vault_uploads'])
        await database.pool.query(`delete from ${table} where repo_id = $1`, [repositoryId])
      await database.pool.query('delete from vault_repos where id = $1', [repositoryId])
      await database.pool.query('update vault_usage set live_bytes = 0, trash_bytes = 0 where owner = $1', [
        harness.caller.userid,
      ])
      for (const table of ['proofs', 'snapshots'])
        await database.pool.query(`delete from ${table} where backup_id = $1`, [id])
      await database.pool.query('delete from backups where id = $1', [id])
      return repositoryId
    }

    test('a plan that was made after the copy is made again from the file beside it, with all that is stored', async () => {
      const id = await harness.createDaily({ name: 'Everything of Reef', paths: ['/notes', '/photos'] })
      await through(id, 'write', 'init')
      const files = writeFiles()
      await through(id, 'write', 'backup', source)
      const before = await planOf(id)
      const text = await driver().readPlanFile(await harness.repositoryOf(id))
      expect(text).toContain('Everything of Reef')
      expect(text).not.toMatch(/password|token|box/)

      const repositoryId = await forgetPlan(id)
      expect(await reindex()).toMatchObject({ plans: ['Everything of Reef'], snapshots: 1, unknown: [], damaged: [] })
      const { name, paths, schedule, keep, time_zone, cluster_id, owner, state, created_at } = before
      expect(await planOf(id)).toMatchObject({
        name,
        paths,
        schedule,
        keep,
        time_zone,
        cluster_id,
        owner,
        state,
        created_at,
        repo_id: repositoryId,
        has_repository: true,
        password: 'kept',
      })
      const [row] = await rowsOf(id)
      expect(row).toMatchObject({ state: 'Completed', kind: 'Fully', size: null })
      expect(row.pinned_until.getTime()).toBeGreaterThan(clock.now().getTime() + 29 * 24 * 3600_000)
      await expectRestored(id, row.restic_id, files)
      expect((await harness.runs(id)).map(({ restorable }) => restorable)).toEqual([true])
      const { live_bytes: held } = (await database.pool.query('select * from vault_usage where owner = $1', [owner]))
        .rows[0]
      expect(Number(held)).toBeGreaterThan(300_000)
      expect(await reindex()).toMatchObject({ plans: [], added: 0, snapshots: 0 })
    })

    test('of a plan that is known, newer snapshots become rows, and a run and a lock of the copy stop nothing', async () => {
      const id = await harness.createDaily()
      await through(id, 'write', 'init')
      // In the copy a run is under way, with its lock; then it ends, and another one comes.
      await runBackup(harness.deps, harness.caller, { backupId: id })
      await harness.reconcile(id)
      const repositoryId = await harness.repositoryOf(id)
      const lost = { repo_id: repositoryId, type: 'locks', name: 'ab'.repeat(32), bytes: 150 } as const
      const at = clock.now()
      await database.db
        .insertInto('vault_files')
        .values({ ...lost, stored_at: at, scrub_at: at })
        .execute()
      const older = writeFiles()
      await through(id, 'write', 'backup', source)
      const newer = writeFiles()
      await through(id, 'write', 'backup', source)
      await database.pool.query(
        `delete from vault_files where repo_id = $1 and type in ('snapshots', 'index', 'data')`,
        [repositoryId],
      )
      await database.pool.query('update vault_usage set live_bytes = 0 where owner = $1', [harness.caller.userid])

      // One that is under way may yet name its own.
      expect(await reindex()).toMatchObject({ snapshots: 0, damaged: [], unknown: [] })
      harness.agents.end(harness.agents.newest('backup.run'), {
        outcome: 'failed',
        failure: 'failed',
        text: 'It was cut.',
      })
      await harness.reconcile(id)
      const [run, ...found] = (await rowsOf(id)).toSorted(
        (a, b) => Number(a.restic_id !== null) - Number(b.restic_id !== null),
      )
      expect(run).toMatchObject({ state: 'Failed' })
      expect(found).toMatchObject([{ state: 'Completed' }, { state: 'Completed' }])
      await expectRestored(id, found[0].restic_id, older)
      await expectRestored(id, found[1].restic_id, newer)
      expect(await harness.damaged(id)).toEqual([])
      expect(
        JSON.parse(await through(id, 'read', 'list', 'locks', '--no-lock', '--json').then((said) => said || '[]')),
      ).toEqual([])
      writeFiles()
      await through(id, 'write', 'backup', source)
      expect(await reindex()).toMatchObject({ added: 0, snapshots: 0 })
    })

    test('the file follows its plan, not while the database may be older than it, and goes with it', async () => {
      const id = await harness.createDaily({ name: 'First' })
      const repositoryId = await harness.repositoryOf(id)
      const tend = () => writePlanFiles({ db: database.db, driver: driver(), planFiles: planFiles(sealer) })
      const read = () => driver().readPlanFile(repositoryId)
      await tend()
      expect(await read()).toBeUndefined()
      await through(id, 'write', 'init')
      expect(await read()).toContain('First')
      await updateBackup(harness.deps, harness.caller, { backupId: id, name: 'Second' })
      await beCareful(database.db, 'by hand', clock.now())
      expect(await tend()).toBe(0)
      expect(await read()).toContain('First')
      await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
      await tend()
      expect(await read()).toContain('Second')
      const active = await read()
      await pauseBackup(harness.deps, harness.caller, { backupId: id, paused: true })
      await tend()
      expect(await read()).not.toBe(active)
      expect(await tend()).toBe(0)
      await database.pool.query(
        `update backups set state = 'deleted', deleted_at = now(), next_at = null where id = $1`,
        [id],
      )
      await tend()
      expect(await read()).toBeUndefined()
    })

    test('nothing is made of a file that is not there, was changed, is of another key, or names who is not known', async () => {
      const id = await harness.createDaily({ name: 'Everything' })
      await through(id, 'write', 'init')
      const repositoryId = await harness.repositoryOf(id)
      const text = (await driver().readPlanFile(repositoryId)) ?? ''
      await forgetPlan(id)
      const why = async (key = sealer) =>
        (await reindex(key)).unknown.find((one) => one.repositoryId === repositoryId)?.why
      expect(await why(createSealer(Buffer.alloc(32, 8)))).toMatch(/not signed/)
      await driver().writePlanFile(repositoryId, text.replace('Everything', 'Everyman’s'))
      expect(await why()).toMatch(/not signed/)
      await driver().writePlanFile(repositoryId, null)
      expect(await why()).toMatch(/no file beside it/)
      const other = await harness.createDaily({ name: 'Another' })
      await through(other, 'write', 'init')
      // Beside another repository it says nothing.
      await driver().writePlanFile(repositoryId, (await driver().readPlanFile(await harness.repositoryOf(other))) ?? '')
      expect(await why()).toMatch(/not signed/)
      await driver().writePlanFile(repositoryId, text)
      await database.pool.query(
        'update clusters set owner = (select min(account_id) from accounts where account_id <> $1) where id = $2',
        [...[harness.caller.userid, harness.clusterId]],
      )
      expect(await why()).toMatch(/"Everything" .* which this database does not know/)
      expect(await planOf(id)).toBeUndefined()
      await database.pool.query('update clusters set owner = $1 where id = $2', [
        harness.caller.userid,
        harness.clusterId,
      ])
      expect((await reindex()).plans).toEqual(['Everything'])
      // Its slot is the other one's, so it waits; no name is there twice.
      expect(await planOf(id)).toMatchObject({ state: 'paused', next_at: null })
    })
  })
}
