/**
 * The disk with the data folder is full, database and all: nothing ends, readiness says why nothing can be written, an
 * error keeps the envelope, and all goes on once there is room. On a filesystem of its own, of a size that is soon
 * full.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { userInfo } from '@atoll/contract/accounts'
import { copyTemplateTo, startServer, until } from '@atoll/testkit'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { createPerson } from '../stack/people.ts'

const disk = mkdtempSync(join(tmpdir(), 'atoll-full-disk-'))
const missing = mount()
afterAll(() => {
  if (missing === undefined) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

function mount(): string | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=755', 'tmpfs', disk], { stdio: 'pipe' })
    return undefined
  } catch {
    return 'no filesystem can be mounted here'
  }
}

const ballast = join(disk, 'ballast')
/** Takes all room there is, to the last page. */
function fill(): void {
  const file = openSync(ballast, 'a')
  try {
    for (const bytes of [1 << 20, 4096]) {
      const chunk = Buffer.alloc(bytes)
      for (let hasRoom = true; hasRoom; ) hasRoom = write(file, chunk)
    }
  } finally {
    closeSync(file)
  }
}
function write(file: number, chunk: Buffer): boolean {
  try {
    return writeSync(file, chunk) === chunk.length
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

/** Writes into PostgreSQL's log until that finds no room, which ends every one of its processes. */
async function crashDatabase(dataDir: string): Promise<void> {
  const client = new Client({ host: join(dataDir, 'postgres', 'run'), user: 'atoll', database: 'atoll' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (;;) await client.query(`select pg_logical_emit_message(false, 'full disk', repeat('x', 4000000))`)
  } catch {
    await client.end().catch(() => undefined)
  }
}

it.skipIf(missing)(`a full disk ends nothing, is told, and is over once there is room`, async () => {
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  await copyTemplateTo(dataDir)
  await using server = await startServer({ dataDir })
  const { api, session } = await createPerson(server.url)
  const readyz = async () => {
    const answer = await fetch(`${server.url}/readyz`)
    return { status: answer.status, text: await answer.text() }
  }
  const { pid } = server

  fill()
  const full = await until('readiness tells of it', async () => {
    const answer = await readyz()
    return answer.status === 503 && answer
  })
  expect(full.text).toMatch(/"heartbeat":"nothing can be written: .*No space left on device/)
  await crashDatabase(dataDir)
  // Whatever is asked is answered in the envelope, in words and with a code.
  for (let asked = 0; asked < 20; asked += 1) {
    const answer = await api.send(userInfo, {})
    expect(answer).toEqual(expect.objectContaining({ code: expect.any(Number), message: expect.any(String) }))
  }
  expect(server.log.join('\n')).toMatch(/PANIC: .*No space left on device/)
  expect(server.log.join('\n')).not.toMatch(/an error that nothing handled/)

  rmSync(ballast)
  await until('it is ready again', async () => (await readyz()).status === 200)
  expect(server.pid).toBe(pid)
  expect(await api.ask(userInfo, {})).toMatchObject({ userid: session.userid })
  expect((await createPerson(server.url)).session.userid).not.toBe(session.userid)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})
