/** A dump brought back by the operator's command on a server of Debian's, whose pg_dump and pg_restore are at hand. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runAsAdmin, startPostgresServer, until } from '@atoll/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { findCareful } from '../../platform/careful/index.ts'
import { createDatabase, migrate } from '../../platform/db/index.ts'
import { setFact } from '../../platform/facts/index.ts'
import { requireSameKey } from '../../platform/keys/index.ts'

const run = promisify(execFile)
const [initdb] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse()
const secretKey = 'a key of a test that is nowhere else'
const { PATH = '', NODE_COMPILE_CACHE } = process.env

test.skipIf(initdb === undefined || !existsSync('/usr/bin/pg_dump'))(
  'the restored database is careful before it has the name that roles reach, the old one is kept, and a failed restore leaves nothing',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atoll-restore-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const server = await startPostgresServer({
      binaries: { initdb: initdb ?? '', postgres: (initdb ?? '').replace(/initdb$/, 'postgres') },
    })
    onTestFinished(() => server.stop())
    const url = server.url('atoll')
    await runAsAdmin(server.url('postgres'), 'create database atoll')
    const using = async <T>(at: string, work: (database: ReturnType<typeof createDatabase>) => Promise<T>) => {
      const database = createDatabase({ connectionString: at }, { max: 2 })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    }
    await using(url, async ({ db, pool }) => {
      await migrate(pool)
      await requireSameKey(db, [Buffer.from(secretKey)])
      await setFact(db, 'a fact of the test', 'before')
    })
    const dump = join(folder, 'atoll.dump')
    await run('pg_dump', ['--format=custom', `--file=${dump}`, `--dbname=${url}`])
    await using(url, ({ db }) => setFact(db, 'a fact of the test', 'after'))
    const program = fileURLToPath(new URL('self-restore.ts', import.meta.url))
    const envOf = (key: string, path = PATH) => ({
      PATH: path,
      NODE_COMPILE_CACHE,
      DATABASE_URL: url,
      ATOLL_SECRET_KEY: key,
      ATOLL_DATA_DIR: join(folder, 'data'),
    })
    const restore = (key: string, ...args: string[]) => run(process.execPath, [program, ...args], { env: envOf(key) })
    const databases = () =>
      using(server.url('postgres'), async ({ pool }) =>
        (await pool.query<{ datname: string }>("select datname from pg_database where datname like 'atoll%'")).rows.map(
          ({ datname }) => datname,
        ),
      )

    await expect(restore('another key, which opens nothing in there', '--dump', dump)).rejects.toThrow(/key/)
    await expect(restore(secretKey, '--swap')).rejects.toThrow(/No restored database waits/)
    await expect(restore(secretKey, '--swap', '--snapshot', 'latest')).rejects.toThrow(/name no backup/)
    expect(await databases()).toEqual(['atoll'])
    // One that is killed while it fills a database: the next one names that, and removes it.
    const slow = join(folder, 'slow')
    mkdirSync(slow)
    writeFileSync(
      join(slow, 'pg_restore'),
      `#!/bin/sh\necho $$ >${folder}/pid && mv ${folder}/pid ${folder}/restoring\nexec sleep 600\n`,
    )
    chmodSync(join(slow, 'pg_restore'), 0o755)
    const killed = spawn(process.execPath, [program, '--dump', dump], { env: envOf(secretKey, `${slow}:${PATH}`) })
    const ended = once(killed, 'exit')
    await until('a database is being filled', async () => existsSync(join(folder, 'restoring')))
    killed.kill('SIGKILL')
    await ended
    await run('sh', ['-c', `kill $(cat ${folder}/restoring)`])
    const [left = ''] = (await databases()).filter((name) => name !== 'atoll')
    const { stdout: said } = await restore(secretKey, '--dump', dump)
    expect(said).toContain(`The database ${left} of an earlier restore, which was not put in place, was removed.`)
    expect(await databases()).not.toContain(left)
    const [prepared = ''] = (await databases()).filter((name) => name !== 'atoll')
    expect(await using(server.url(prepared), ({ db }) => findCareful(db))).toMatchObject({
      why: expect.stringContaining('restored from the dump'),
    })
    // Without a terminal nobody can agree.
    const refused = await restore(secretKey, '--swap').catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/The newest record [\s\S]*It waits: run this again with --swap/),
    })
    expect(await databases()).toContain(prepared)
    const { stdout } = await restore(secretKey, '--swap', '--yes')
    const [, kept = ''] = /kept as (atoll_before_\w+)/.exec(stdout) ?? []
    const valueIn = (at: string) =>
      using(at, async ({ pool }) => {
        const { rows } = await pool.query("select value from deployment_facts where name = 'a fact of the test'")
        return rows
      })
    expect(await valueIn(url)).toEqual([{ value: 'before' }])
    expect(await valueIn(server.url(kept))).toEqual([{ value: 'after' }])
  },
)
