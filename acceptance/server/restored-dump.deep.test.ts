/** A database brought back by `pg_dump` and `pg_restore` without a word to the server, on the world as it went on. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PostgresServer, runAsAdmin, startPostgresServer, whyNoDnsPrograms } from '@atoll/testkit'
import { afterAll, describe } from 'vitest'
import { expectNothingIrrevocable } from '../stack/restored-proof.ts'

/** Where Debian puts the programs of each version; the newest that has all of them. */
const programs = globSync('/usr/lib/postgresql/*/bin')
  .toSorted((a, b) => Number(b.split('/').at(-2)) - Number(a.split('/').at(-2)))
  .find((folder) => ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))))
const missing = whyNoDnsPrograms() ?? (programs === undefined ? 'no PostgreSQL with pg_dump is installed' : undefined)

describe.skipIf(missing)(`a dump of the database${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const run = (name: string, ...args: string[]) => promisify(execFile)(join(programs ?? '', name), args)
  const folder = mkdtempSync(join(tmpdir(), 'atoll-dump-'))
  let postgres: PostgresServer | undefined
  let made = 0
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  async function make(): Promise<string> {
    const binaries = { initdb: join(programs ?? '', 'initdb'), postgres: join(programs ?? '', 'postgres') }
    postgres ??= await startPostgresServer({ binaries })
    made += 1
    await runAsAdmin(postgres.url('postgres'), `create database atoll_${made}`)
    return postgres.url(`atoll_${made}`)
  }

  expectNothingIrrevocable({
    make,
    async dump(url) {
      const file = join(folder, 'atoll.dump')
      await run('pg_dump', '--format=custom', `--file=${file}`, url)
      return async () => {
        const restored = await make()
        await run('pg_restore', '--clean', '--if-exists', '--exit-on-error', '--dbname', restored, file)
        return restored
      }
    },
  })
})
