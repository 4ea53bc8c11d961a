/** A drive to back up, restic's own server to back up to, and the tasks of an agent that has neither link nor port. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { type BackupKey, taskKinds } from '@atoll/contract/agents'
import { findFreePorts, until } from '@atoll/testkit'
import { CompactEncrypt, importJWK } from 'jose'
import { ensureRestServer } from '../../../../../scripts/programs/restic.ts'
import { openDrive } from '../../drive/drive.ts'
import { openHome } from '../../kernel/home.ts'
import { HttpProblem } from '../../kernel/problem.ts'
import { createTestFolder } from '../../testing/seeded-home.ts'
import { openBackups } from '../backups.ts'
import type { BackupSource } from '../browse/backup-source.ts'

/** Of one file's tests and their processes alone: others are searched for secrets while these run. */
export const own = process.env['OWN'] ?? randomBytes(8).toString('hex')
export const password = `correct horse \\ "battery" $staple ${own}`
export const token = `a-token-that-nobody-may-see-${own}`
export const backupId = 'bk_testbackup01'

export type BackupHarness = Awaited<ReturnType<typeof createBackupHarness>>
type Kind = keyof typeof taskKinds & `backup.${string}`

export async function createBackupHarness(restic: string) {
  const folder = await createTestFolder()
  const server = await startRestServer(join(folder.path, 'repositories'))
  const agent = await openAgent(join(folder.path, 'agent'), restic)
  let serial = 0

  return {
    ...agent,
    folder: folder.path,
    origin: server.origin,
    /** Where the server keeps what is at `/name/`. */
    stored: (name: string) => join(folder.path, 'repositories', name),
    repository: (name: string, origin = server.origin) => ({ url: `${origin}/${name}/`, grantId: 'gr_test', token }),
    /** Runs one task to its result. */
    async ask(kind: Kind, params: object, options: Partial<AskOptions> = {}) {
      serial += 1
      return await agent.run(kind, params, { taskId: `at_${serial}`, ...options })
    },
    async [Symbol.asyncDispose]() {
      server.stop()
      agent.backups.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}

interface AskOptions {
  taskId: string
  signal: AbortSignal
  progress(value: Record<string, unknown>): void
}

/** Of an agent in `path` that is not linked to anything. */
export async function openAgent(path: string, restic: string, mayReseal = true) {
  const home = await openHome(path)
  const backups = await openBackups({
    home,
    resticPath: restic,
    mayReseal,
    onChange: () => undefined,
    onDefect: (_, error) => onDefect(error),
  })
  const drive = await openDrive({ root: home.drive, uploads: home.uploads })
  const source = { ...noSource }
  const tasks = backups.tasks(drive, backups.openFiles({ source, drive, onDefect, walkMs: 300_000 }))
  return {
    home,
    drive,
    backups,
    /** The control plane's answers about backups and read rights; a test may replace them. */
    source,
    async run(kind: Kind, params: object, options: Partial<AskOptions> & { taskId: string }) {
      const task = tasks.find((one) => one.kind === kind)
      const context = { params, signal: new AbortController().signal, progress: () => undefined, ...options }
      return taskKinds[kind].result.parse(await task?.run(context))
    },
  }
}

/** Knows of no backup. */
const noSource: BackupSource = {
  list: async () => [],
  grant: async () => {
    throw new HttpProblem(404, 'backupGone', 'This backup is not kept any more.')
  },
  drop: () => undefined,
}

function onDefect(error: unknown): never {
  throw error
}

/** As a browser seals it. */
export async function sealFor(key: BackupKey, text = password): Promise<string> {
  const header = { alg: 'ECDH-ES', enc: 'A256GCM' }
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(header)
    .encrypt(await importJWK({ ...key }, 'ECDH-ES'))
}

async function startRestServer(path: string): Promise<{ origin: string; stop(): void }> {
  const program = await ensureRestServer()
  if (program === undefined) throw new Error('restic-rest-server, a package of Debian 13, could not be fetched')
  await mkdir(path, { recursive: true })
  const [port = 0] = await findFreePorts(1)
  const child = spawn(program, ['--path', path, '--listen', `127.0.0.1:${port}`, '--no-auth'], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await until('the server answers', async () => (await fetch(origin).catch(() => undefined)) !== undefined)
  return { origin, stop: () => void child.kill('SIGKILL') }
}

/** Passes everything on to `origin`, but for what `answer` answers with a status; it may wait, too. */
export async function startProxy(origin: string, answer: (req: http.IncomingMessage) => Promise<number | undefined>) {
  const server = http.createServer(async (req, res) => {
    const status = await answer(req)
    if (status !== undefined) {
      req.resume()
      res.writeHead(status).end()
      return
    }
    const passed = http.request(origin + req.url, { method: req.method ?? 'GET', headers: req.headers }, (got) => {
      res.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(res)
    })
    passed.on('error', () => res.destroy())
    req.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Every file of a repository below `part`, such as `locks`. */
export async function filesIn(repository: string, part: string): Promise<string[]> {
  const entries = await readdir(join(repository, part), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The entries below `path`: kind, mode, time and content by name. */
export async function describeTree(path: string): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    const name = place.slice(path.length)
    if (entry.isSymbolicLink()) {
      all[name] = await readlink(place)
      continue
    }
    const { mode, mtimeMs } = await stat(place)
    const content = entry.isFile() ? (await readFile(place)).toString('base64') : null
    all[name] = [mode.toString(8), Math.trunc(mtimeMs), content]
  }
  return all
}

/** Processes whose arguments, environment or state hold `text`. */
export async function processesWith(text: string, where: 'cmdline' | 'environ' | 'stat'): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const said = await readFile(join('/proc', pid, where), 'latin1').catch(() => '') // gone, or not ours to read
      return said.includes(text) ? [`${pid} ${said.replaceAll('\0', ' ').slice(0, 200)}`] : []
    }),
  )
  return found.flat()
}

export async function emptyFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true, mode: 0o700 })
}

/** SHA-256 of each file by its path below `folder`, read with every right. */
export async function hashTree(folder: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    if (!entry.isFile()) continue
    all[place.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(place))
      .digest('hex')
  }
  return all
}
