import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { listProcessesOf, until } from '@atoll/testkit'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderTaken } from '../../data-folder/folder-lock.ts'
import { silentLog } from '../../log.ts'
import type { DatabaseConnection } from '../index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'

let dataDir: string
let started: EmbeddedPostgres[]
let children: ChildProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-embedded-'))
  started = []
  children = []
})
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()))
  for (const child of children) child.kill('SIGKILL')
  for (const { pid } of listProcessesOf(dataDir)) process.kill(pid, 'SIGQUIT')
  await until('nothing runs in the folder', () => listProcessesOf(dataDir).length === 0)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
  started.push(server)
  return server
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  started = started.filter((each) => each !== server)
  await server.stop()
}

async function query(connection: DatabaseConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows
  } finally {
    await client.end()
  }
}

/** Another process that holds the folder; gives the postmaster's pid. */
async function startHolder(): Promise<{ holder: ChildProcess; postmaster: number }> {
  const program = fileURLToPath(new URL('./embedded.fixture.ts', import.meta.url))
  const holder = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(holder)
  const line = await new Promise<string>((resolve) => createInterface({ input: holder.stdout }).once('line', resolve))
  return { holder, postmaster: Number(line) }
}

it('keeps what was committed over a stop and a start', async () => {
  const first = await start()
  await query(first.connection, 'create table kept (id int)')
  await query(first.connection, 'insert into kept values (1)')
  await stop(first)
  expect(listProcessesOf(dataDir)).toEqual([])
  const second = await start()
  expect(await query(second.connection, 'select id from kept')).toEqual([{ id: 1 }])
})

it('answers only in a folder that nobody else may enter', async () => {
  const server = await start()
  if (!('host' in server.connection)) throw new Error('not a socket')
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  expect(await query(server.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
})

it('takes over the folder of a server that was killed, with nothing lost', async () => {
  const { holder, postmaster } = await startHolder()
  const connection = { host: join(dataDir, 'postgres', 'run'), user: 'atoll', database: 'atoll' }
  await query(connection, 'create table kept (id int); insert into kept values (1)')
  holder.kill('SIGKILL')
  await until('the holder is gone', () => holder.signalCode !== null)
  const server = await start()
  expect(server.pid()).not.toBe(postmaster)
  expect(await query(server.connection, 'select id from kept')).toEqual([{ id: 1 }])
})

it('ends PostgreSQL however its server ends', async () => {
  const { holder, postmaster } = await startHolder()
  expect(listProcessesOf(dataDir).some(({ pid }) => pid === postmaster)).toBe(true)
  holder.kill('SIGKILL')
  await until('PostgreSQL has ended by itself', () => !listProcessesOf(dataDir).some(({ pid }) => pid === postmaster))
})

it('takes over when both were killed, leftovers and all', async () => {
  const { holder, postmaster } = await startHolder()
  process.kill(postmaster, 'SIGKILL')
  holder.kill('SIGKILL')
  await until('the holder is gone', () => holder.signalCode !== null)
  const server = await start()
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('refuses a folder that another process holds, and names that process', async () => {
  const { holder } = await startHolder()
  const refusal: unknown = await startEmbeddedPostgres({ dataDir, log: silentLog }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(FolderTaken)
  expect(String(refusal)).toContain(`${holder.pid}`)
  expect(String(refusal)).toContain(dataDir)
})

it('starts PostgreSQL again when it crashes', async () => {
  const server = await start()
  const before = server.pid()
  if (before === undefined) throw new Error('it has no pid')
  process.kill(before, 'SIGKILL')
  await until('another postmaster answers', async () => {
    const rows = await query(server.connection, 'select 1 as one')
    return server.pid() !== before && rows.length === 1
  })
})

it('works, or says what to do, where the user that PostgreSQL runs as cannot go', async () => {
  // A folder that only we may enter: for root this is a clone under /root.
  chmodSync(dataDir, 0o700)
  const hasNamespaces = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0
  if (process.getuid?.() !== 0 || hasNamespaces) {
    expect(await query((await start()).connection, 'select 1 as one')).toEqual([{ one: 1 }])
  } else {
    await expect(start()).rejects.toThrow(/cannot run as root.*Move the project and ATOLL_DATA_DIR/)
  }
})

it('works in a folder whose path is too long for a socket', async () => {
  const server = await start(join(dataDir, 'a-rather-long-name'.repeat(6)))
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop(server)
})
