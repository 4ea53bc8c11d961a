/** A database of one's own server, with the programs of Debian: backed up as a stream, and restored into a new one. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PostgresServer, runAsAdmin, startPostgresServer } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteErased, readErased } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase, type Database, migrate } from '../../platform/db/index.ts'
import { setFact } from '../../platform/facts/index.ts'
import { requireSameKey } from '../../platform/keys/index.ts'
import { restics } from '../vault/testing/restic-programs.ts'
import { dumpFile, resticTime } from './dump.ts'
import { fetchSnapshot } from './fetch.ts'
import { listHalfDumps } from './leftovers.ts'
import { initRepository } from './repository.ts'
import { askRestic, startRestic } from './restic.ts'
import { restoreDump } from './restore-dump.ts'
import { createEmpty, swapDatabases, urlOf } from './server-database.ts'
import { takeSelfBackup } from './take.ts'

const program = restics['0.14']
const [initdb] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse()
const secretKey = 'a key of a test that is nowhere else'
let folder: string
let server: PostgresServer
let database: Database
let url: string

/** Both are of Debian: pg_dump takes no server that is newer than itself. */
const canRun = program !== undefined && initdb !== undefined && existsSync('/usr/bin/pg_dump')

beforeAll(async () => {
  if (!canRun) return
  folder = mkdtempSync(join(tmpdir(), 'atoll-own-'))
  const binaries = { initdb, postgres: initdb.replace(/initdb$/, 'postgres') }
  server = await startPostgresServer({ binaries })
  url = server.url('atoll')
  await runAsAdmin(server.url('postgres'), 'create database atoll')
  database = createDatabase({ connectionString: url }, { max: 2 })
  // Of a version before this one: what is backed up then is proven after an upgrade, too.
  const before = fileURLToPath(new URL('../../platform/db/testing/before-baseline', import.meta.url))
  await migrate(database.pool, before)
  await requireSameKey(database.db, [Buffer.from(secretKey)])
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!canRun)(
  'a dump goes into restic with settings and catalogue, without the key, and comes back whole into a new database that takes the old one’s name',
  async () => {
    const path = (name: string) => join(folder, name)
    for (const name of ['settings', 'data', 'data/outbox']) mkdirSync(path(name))
    writeFileSync(path('password'), 'a password for tests')
    writeFileSync(path('catalog.yaml'), 'products: []\n')
    writeFileSync(path('settings/atoll.env'), `ATOLL_SECRET_KEY=${secretKey}\nATOLL_PORT=4800\n`)
    writeFileSync(path('settings/key'), `${secretKey}\n`)
    writeFileSync(path('data/outbox/1.eml'), 'a mail')
    const to = { program, repository: path('repository'), passwordFile: path('password') }
    await initRepository(database.db, to)
    await setFact(database.db, 'a fact of the test', 'before')
    const at = new Date('2026-12-10T13:31:00Z')
    await noteErased(path('data'), { accountId: 'ac_here', at })
    const deps = {
      db: database.db,
      clock: systemClock,
      connection: { connectionString: url },
      secretKey,
      to,
      listErased: async () => [{ accountId: 'ac_by_another_worker', at }],
    }
    const places = { dataDir: path('data'), catalogFile: path('catalog.yaml'), settingsDir: path('settings') }
    const { snapshotId } = await takeSelfBackup({ ...deps, ...places })
    await setFact(database.db, 'a fact of the test', 'after')

    const manifest = await fetchSnapshot(to, { snapshot: snapshotId, folder: path('fetched') })
    expect(readFileSync(path('fetched/settings/atoll.env'), 'utf8')).toBe('ATOLL_PORT=4800\n')
    expect(existsSync(path('fetched/settings/key'))).toBe(false)
    expect(existsSync(path('fetched/outbox/1.eml'))).toBe(true)
    const erased = await readErased(path('fetched'))
    expect(erased.map(({ accountId }) => accountId)).toEqual(['ac_here', 'ac_by_another_worker'])
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [fileURLToPath(new URL('../../operator/recovery/self-verify.ts', import.meta.url))],
      {
        env: {
          PATH: process.env['PATH'],
          RESTIC: program,
          DATABASE_URL: url,
          ATOLL_SECRET_KEY: secretKey,
          ATOLL_DATA_DIR: path('data'),
          ATOLL_SELF_BACKUP_REPOSITORY: to.repository,
          ATOLL_SELF_BACKUP_PASSWORD_FILE: to.passwordFile,
        },
      },
    )
    expect(stdout).toContain('The audit log is whole')
    await createEmpty(url, 'atoll_restored')
    await restoreDump({ from: to, snapshot: manifest.dump ?? '' }, urlOf(url, 'atoll_restored'))
    await database.close()
    await swapDatabases(url, 'atoll_restored', 'atoll_before')
    const facts: unknown[] = []
    for (const name of ['atoll', 'atoll_before']) {
      const each = createDatabase({ connectionString: server.url(name) }, { max: 1 })
      const { rows } = await each.pool.query("select value from deployment_facts where name = 'a fact of the test'")
      facts.push(...rows)
      await each.close()
    }
    expect(facts).toEqual([{ value: 'before' }, { value: 'after' }])

    // One that fails leaves no snapshot that looks like a dump.
    database = createDatabase({ connectionString: url }, { max: 2 })
    const gone = { ...deps, db: database.db, ...places }
    const refused = takeSelfBackup({ ...gone, connection: { connectionString: server.url('nowhere') } })
    await expect(refused).rejects.toThrow(/nowhere/)
    const listed = JSON.parse(await askRestic(to, ['snapshots', '--json'])) as unknown[] // restic's
    expect(listed).toHaveLength(2)

    // One that is killed while pg_dump writes: restic may take the end of its input for the end of the dump.
    const stored = startRestic(
      to,
      [
        ...['backup', '--json', '--host', 'atoll', '--tag', 'atoll-database', '--time', resticTime(new Date())],
        ...['--stdin', '--stdin-filename', dumpFile],
      ],
      { hasInput: true },
    )
    stored.input.end('half a dump')
    await stored.said
    const [half] = await listHalfDumps(to)
    await expect(fetchSnapshot(to, { snapshot: half?.id ?? '', folder: path('half') })).rejects.toThrow(
      'This snapshot is no backup of a deployment.',
    )
    expect((await fetchSnapshot(to, { snapshot: 'latest', folder: path('newest') })).dump).toBe(manifest.dump)
    const after = (hours: number) => ({ now: () => new Date(Date.now() + hours * 60 * 60_000) })
    const soon = await takeSelfBackup({ ...gone, clock: after(1) })
    expect(soon.leftovers).toEqual([expect.stringContaining('no restore uses it, and it goes after a day')])
    const late = await takeSelfBackup({ ...gone, clock: after(25) })
    expect(late.leftovers).toEqual([expect.stringContaining('it was removed')])
    expect(await listHalfDumps(to)).toEqual([])
  },
)
