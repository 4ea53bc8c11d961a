/**
 * restic, agent, vault and worker are processes of their own here, and are killed at any moment of a backup, and the
 * database goes away for a while: each run comes to an end, the next one completes, what was completed can be restored,
 * and nothing stays locked or reserved.
 * A longer run: ATOLL_BACKUP_KILLS.
 */
import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { backupCreate, backupDetail, backupList, backupPause, backupRun, backupSnapshot } from '@atoll/contract/backups'
import { createCluster } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  createTestDatabase,
  findInstanceFolder,
  listInstances,
  listProcesses,
  patienceMs,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
} from '@atoll/testkit'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealPassword } from '../../apps/console/src/backups/seal-password.ts'
import { needRestic } from '../stack/backups.ts'
import { composeOrder, waitForStatus } from '../stack/clusters.ts'
import { createPerson } from '../stack/people.ts'

const kills = Number(process.env['ATOLL_BACKUP_KILLS'] ?? 5)
const victims = ['restic', 'agent', 'vault', 'worker', 'database'] as const
/** The database is away for so long; restic tries again meanwhile. ms */
const awayMs = 4000
/** For processes that come back alone on a machine that may be busy. ms */
const timeoutMs = 2 * patienceMs
/** The longest pause before a kill: about as long as a run takes. ms */
const longestMs = 3500
const password = 'quiet lagoons at low tide'
const run = promisify(execFile)
let restic: string
/** Of restic as the agent has it. */
let programs: string
let database: TestDatabase
let sql: Client
let admin: Client
let front: ServerProcess
let servers: Record<'vault' | 'worker', ServerProcess>

beforeAll(async () => {
  restic = await needRestic()
  // A run takes long enough to be killed in its middle, however quick the machine is.
  programs = mkdtempSync(join(tmpdir(), 'atoll-slow-restic-'))
  chmodSync(programs, 0o755)
  const slow = join(programs, 'restic')
  writeFileSync(slow, `#!/bin/sh\nexec '${restic}' --limit-upload 8192 "$@"\n`, { mode: 0o755 })
  database = await createTestDatabase({ empty: true })
  sql = new Client({ connectionString: database.url })
  await sql.connect()
  admin = new Client({ connectionString: database.url.replace(/\/test_\w+/, '/postgres') })
  await admin.connect()
  const [ports, others] = [await chooseServerPorts(), await chooseServerPorts()]
  const env = {
    DATABASE_URL: database.url,
    ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
    ATOLL_PUBLIC_URL: `http://localhost:${ports.console}`,
    ATOLL_CONTROL_URL: `http://127.0.0.1:${ports.console}`,
    ATOLL_VAULT_URL: `http://127.0.0.1:${others.vault}`,
    RESTIC: slow,
  }
  front = await startServer({ env, roles: ['api', 'edge'], ports })
  const { dataDir } = front
  const [vault, worker] = await Promise.all([
    startServer({ env, roles: ['vault'], dataDir, ports: others }),
    startServer({ env, roles: ['worker'], dataDir }),
  ])
  servers = { vault, worker }
}, timeoutMs)
afterAll(async () => {
  await Promise.all(Object.values(servers ?? {}).map((server) => server.kill('SIGTERM')))
  await front?.dispose()
  await sql?.end()
  await admin?.end()
  await database?.drop()
  if (programs) rmSync(programs, { recursive: true })
})

const query = async (text: string) => (await sql.query(text)).rows
const resticPids = () =>
  listProcesses()
    .filter(({ environment }) => environment.get('RESTIC_CACHE_DIR')?.startsWith(front.dataDir))
    .filter(({ command }) => command[0] === restic)
    .map(({ pid }) => pid)

/** As when PostgreSQL is gone for a while: no connection of a server is left, and none is let in. */
async function takeDatabaseAway(): Promise<void> {
  const name = /test_\w+/.exec(database.url)?.[0]
  const { rows } = await sql.query('select pg_backend_pid() as pid')
  await admin.query(`alter database ${name} allow_connections false`)
  try {
    const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> $2'
    await admin.query(cut, [name, rows[0].pid])
    await delay(awayMs) // it is that what is tested
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
  }
}

async function kill(victim: (typeof victims)[number]): Promise<void> {
  if (victim === 'database') return await takeDatabaseAway()
  if (victim === 'vault' || victim === 'worker') return await servers[victim].restart()
  const pids = victim === 'restic' ? resticPids() : listInstances(front.dataDir).map(({ pid }) => pid)
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It had ended by then.
    }
}

it(
  `survives ${kills} kills of restic, agent, vault, worker and connections to the database`,
  async () => {
    const { api } = await createPerson(front.url)
    const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Rangiroa' }))
    const { instanceId } = await waitForStatus(api, clusterId, ['inactivated', 'running'], timeoutMs)
    const drive = join(findInstanceFolder(front.dataDir, instanceId), 'drive')
    mkdirSync(join(drive, 'Music'))
    const fill = (name: string) => writeFileSync(join(drive, 'Music', name), randomBytes(1_000_000))
    for (let at = 0; at < 20; at += 1) fill(`${at}`)
    const key = await until('the machine reports its key', async () => {
      const { machines } = await api.ask(backupList, {})
      return machines.find((machine) => machine.restic !== null)?.key ?? undefined
    })
    const { backupId } = await api.ask(backupCreate, {
      clusterId,
      name: 'Everything',
      paths: ['/'],
      schedule: { every: 'month', at: '03:00', day: 1 },
      keep: { last: 500, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
      timeZone: 'Europe/Berlin',
      runNow: true,
      box: await sealPassword(password, key),
    })
    await api.ask(backupPause, { backupId, paused: true })
    const newest = async () => (await api.ask(backupDetail, { backupId })).backup.newest
    const logs = () => [front, servers.worker, servers.vault].map(({ log }) => log.slice(-15))
    const onTimeout = async () => JSON.stringify([await newest(), listInstances(front.dataDir), ...logs()])
    await until('the first run is completed', async () => (await newest())?.state === 'Completed', {
      timeoutMs,
      onTimeout,
    })

    const ends: Record<string, number> = {}
    const runNow = async () => (await api.ask(backupRun, { backupId })).snapshotId
    const endOf = (snapshotId: string) =>
      until(
        'the run has ended',
        async () => {
          const { snapshot } = await api.ask(backupSnapshot, { snapshotId })
          return snapshot.endedAt !== null && snapshot
        },
        { timeoutMs, onTimeout },
      )
    for (let at = 0; at < kills; at += 1) {
      const victim = victims[at % victims.length] ?? 'restic'
      // All is new, so that there is much to do, and the drive does not grow.
      for (let name = 0; name < 20; name += 1) fill(`${name}`)
      // A machine whose agent ends again and again is given up; these ends are as if they were days apart.
      await query('update instances set recoveries = 0')
      const snapshotId = await runNow()
      const isOver = async () => (await newest())?.endedAt !== null
      await until('restic runs', async () => resticPids().length > 0 || (await isOver()), {
        timeoutMs,
        intervalMs: 10,
        onTimeout,
      })
      await delay(randomInt(longestMs)) // any moment
      const when = (await isOver()) ? 'late' : 'at work'
      await kill(victim)
      const { state } = await endOf(snapshotId)
      const end = `${victim}, ${when}: ${state}`
      ends[end] = (ends[end] ?? 0) + 1
    }
    process.stdout.write(`runs that were killed ended: ${JSON.stringify(ends)}\n`)

    const last = await endOf(await runNow())
    expect([last.state, last.files, last.unreadFiles]).toEqual(['Completed', 20, 0])
    await until(
      'nothing is reserved',
      async () =>
        (await query('select from vault_usage where reserved_bytes <> 0 union all select from vault_uploads'))
          .length === 0,
      { timeoutMs, onTimeout: async () => JSON.stringify(await query('select * from vault_uploads')) },
    )

    // Plain restic, on the vault's folder: every completed run is there and all of it reads well.
    const [{ repo_id = '' } = {}] = await query('select repo_id from backups')
    const repository = join(front.dataDir, 'vault', repo_id)
    // The vault's sweep has the last word on one whose removal was broken off.
    await until('no lock is left', async () => readdirSync(join(repository, 'locks')).length === 0, { timeoutMs })
    const env = {
      RESTIC_REPOSITORY: repository,
      RESTIC_PASSWORD: password,
      RESTIC_CACHE_DIR: join(front.dataDir, 'cache'),
    }
    const ask = async (...args: string[]) =>
      (await run(restic, [...args, '--no-lock'], { env, maxBuffer: 2 ** 26 })).stdout
    const kept: { id: string }[] = JSON.parse(await ask('snapshots', '--json'))
    const completed = await query("select restic_id from snapshots where state = 'Completed' and forgotten_at is null")
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(completed.map(({ restic_id }) => restic_id)))
    expect(completed.length).toBeGreaterThan(1)
    expect(await ask('check', '--read-data')).toContain('no errors were found')
    const target = join(front.dataDir, 'brought-back')
    await ask('restore', 'latest', '--target', target)
    expect((await run('diff', ['-r', drive, target])).stdout).toBe('')
    rmSync(target, { recursive: true })
  },
  120_000 + timeoutMs + kills * 60_000,
)
