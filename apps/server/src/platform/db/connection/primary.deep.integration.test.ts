import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../../log.ts'
import { connectionOf, type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/embedded.ts'
import { createPool, isNoAnswer } from '../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-primary-'))
// The embedded server does not run as root, and has to enter.
chmodSync(folder, 0o755)
const running = new Set<EmbeddedPostgres>()
afterAll(async () => {
  for (const server of running) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const dirOf = (name: string) => join(folder, name)
async function start(name: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: dirOf(name), log: silentLog })
  running.add(server)
  return server
}
async function stop(server: EmbeddedPostgres): Promise<void> {
  await server.stop()
  running.delete(server)
}
function hostOf(name: string): string {
  const connection = connectionOf(dirOf(name))
  if (!('host' in connection)) throw new Error('The embedded server is reached by a socket')
  return connection.host
}

test('writes go to the primary of two hosts, to the standby once it is promoted, and not back', async () => {
  const first = await start('one')
  await stop(first)
  // With modes and owners, which PostgreSQL insists on.
  execFileSync('cp', ['-a', dirOf('one'), dirOf('two')])
  writeFileSync(join(dirOf('two'), 'postgres/data/standby.signal'), '')
  const one = await start('one')
  await start('two')

  // The standby stands first.
  const url = `postgresql://atoll@/atoll?host=${hostOf('two')},${hostOf('one')}`
  const pool = createPool({ connectionString: url }, { max: 1 })
  pool.on('error', () => undefined)
  const whereOf = async () => {
    const { rows } = await pool.query<{ is: boolean; at: string }>(
      `select pg_is_in_recovery() as is, current_setting('unix_socket_directories') as at`,
    )
    return rows[0]
  }
  try {
    expect(await whereOf()).toEqual({ is: false, at: hostOf('one') })
    await stop(one)
    const refused: unknown = await until('it is noticed', () =>
      whereOf().then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
    expect(isNoAnswer(refused)).toBe(true)
    await expect(whereOf()).rejects.toThrow(/None of the hosts of DATABASE_URL takes writes: .* is a standby/)

    const standby = createPool(connectionOf(dirOf('two')), { max: 1 })
    await standby.query('select pg_promote()')
    await standby.end()
    expect(await until('the promoted one is used', () => whereOf().catch(() => undefined))).toEqual({
      is: false,
      at: hostOf('two'),
    })
    // The old primary comes back without knowing of the promotion; new connections still go to the promoted one.
    await start('one')
    const other = createPool({ connectionString: `postgresql://atoll@/atoll?host=${hostOf('one')},${hostOf('two')}` })
    const { rows } = await other.query<{ at: string }>(`select current_setting('unix_socket_directories') as at`)
    await other.end()
    expect(rows[0]?.at).toBe(hostOf('two'))
  } finally {
    await pool.end()
  }
})
