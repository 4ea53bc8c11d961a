/**
 * A real server as its own process, with its own data folder and ports: what an operator runs, killable at any
 * instant.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePorts } from './free-ports.ts'
import { ordinaryEnvironment } from './ordinary-environment.ts'
import { patienceMs } from './patience.ts'
import { listProcessesOf } from './processes.ts'
import { repositoryRoot, serverProgram } from './repository.ts'
import { copyTemplateTo } from './server-template.ts'
import { until } from './until.ts'

export interface ServerPorts {
  console: number
  wallet: number
  edge: number
  vault: number
}

export interface StartServerOptions {
  /**
   * Absolute; default: a new folder in the temporary folder, removed by `dispose`. Where the run has a template of the
   * embedded database, the new folder has a copy of it.
   */
  dataDir?: string
  /** Settings of the server; those of this process's own environment are not passed on. */
  env?: Record<string, string>
  /** Default: all of them. */
  roles?: ('api' | 'worker' | 'edge' | 'dns' | 'vault')[]
  ports?: ServerPorts
  /** How long it may take to answer, ms. */
  timeoutMs?: number
}

export interface ServerProcess extends AsyncDisposable {
  readonly dataDir: string
  readonly ports: ServerPorts
  /** Origin of the console and the API. */
  readonly url: string
  readonly walletUrl: string
  /** Pid of the process that runs now, or ran last. */
  readonly pid: number
  /** Lines of standard output and error, oldest first, over all restarts. */
  readonly log: string[]
  /** ms from spawn to ready of the last start. */
  readonly startedInMs: number
  /**
   * Sends a signal, SIGKILL by default, and waits until the process is gone; says how it ended. Agents and an
   * embedded PostgreSQL may live on, as in real life.
   */
  kill(signal?: NodeJS.Signals): Promise<HowItEnded>
  /** Starts it again on the same ports and folder; kills it first if it runs. */
  restart(): Promise<void>
  /** Stops it; ends what it left running in its data folder and removes the folder, if that was made here. */
  dispose(): Promise<void>
}

/** Code 0: asked to stop, and everything in it ended within the deadline of a stop. */
export interface HowItEnded {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Starts the server and returns when it answers; throws with its log when it ends or takes too long. */
export async function startServer(options: StartServerOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await makeDataDir(options.env?.['DATABASE_URL'] === undefined))
  const ports = options.ports ?? (await chooseServerPorts())
  const url = `http://localhost:${ports.console}`
  const walletUrl = `http://localhost:${ports.wallet}`
  const log: string[] = []
  let child: ChildProcess | undefined
  let isEnding = false
  let startedInMs = 0

  async function start(): Promise<void> {
    const begun = Date.now()
    isEnding = false
    const started = spawnServer(options, dataDir, ports, log)
    child = started
    await until(
      'the server answers',
      async () => {
        if (started.exitCode !== null || started.signalCode !== null) return 'ended'
        // Somebody else may hold the port, and never answer.
        const signal = AbortSignal.timeout(5000)
        const response = await fetch(`http://127.0.0.1:${ports.console}/readyz`, { signal })
        return response.ok || (await lacksOnlyPages(response))
      },
      { timeoutMs: options.timeoutMs ?? 3 * patienceMs, intervalMs: 50, onTimeout: () => log.slice(-60).join('\n') },
    )
    if (started.exitCode !== null || started.signalCode !== null) {
      throw new ServerEnded(started.exitCode, log)
    }
    startedInMs = Date.now() - begun
    started.once('exit', (code, signal) => {
      if (isEnding) return
      // A test would only see refused connections.
      const last = log.slice(-40).join('\n')
      process.stderr.write(`the server ended by itself (code ${code}, signal ${signal}); its last words:\n${last}\n`)
    })
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<HowItEnded> {
    if (child && !hasEnded(child)) {
      const ended = endOf(child)
      isEnding = true
      child.kill(signal)
      await ended
    }
    return { code: child?.exitCode ?? null, signal: child?.signalCode ?? null }
  }

  async function dispose(): Promise<void> {
    if (child && !hasEnded(child)) {
      // A server that ignores SIGTERM must not keep the test run alive; whether it obeys is tested elsewhere.
      const timer = setTimeout(() => child?.kill('SIGKILL'), 15_000)
      await kill('SIGTERM')
      clearTimeout(timer)
    }
    // A folder that was given is the giver's: other servers may work in it.
    if (options.dataDir) return
    await endLeftovers(dataDir)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }

  return {
    dataDir,
    ports,
    url,
    walletUrl,
    log,
    get pid() {
      return child?.pid ?? 0
    },
    get startedInMs() {
      return startedInMs
    },
    kill,
    async restart() {
      await kill('SIGKILL')
      await start()
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

/** Tests that open no page run without built ones, too. */
async function lacksOnlyPages(readyz: Response): Promise<boolean> {
  const checks: unknown = await readyz.json()
  if (typeof checks !== 'object' || checks === null) return false
  return Object.entries(checks).every(
    ([name, result]) => result === 'ok' || /^(ready|pages|sweep|careful|waiting|vault|samples)$/.test(name),
  )
}

/** The server gave up before it answered. */
export class ServerEnded extends Error {
  readonly code: number | null
  readonly log: string[]
  constructor(code: number | null, log: string[]) {
    super(`the server ended with ${code}:\n${log.slice(-60).join('\n')}`)
    this.code = code
    this.log = log
  }
}

/** Free ports; pass them when two servers are to know of each other. */
export async function chooseServerPorts(): Promise<ServerPorts> {
  const [consolePort = 0, wallet = 0, edge = 0, vault = 0] = await findFreePorts(4)
  return { console: consolePort, wallet, edge, vault }
}

const directoryPrefix = 'atoll-server-'

/** Ends and removes what test runs left behind that were killed before they could do it themselves. */
async function sweepAbandonedServers(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(directoryPrefix))) {
    const runner = Number(name.slice(directoryPrefix.length).split('-')[0])
    // Whose process is alive, or is unknown, is somebody's.
    if (!(runner > 0) || existsSync(`/proc/${runner}`) || platform() !== 'linux') continue
    const folder = join(tmpdir(), name)
    await endLeftovers(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** The embedded PostgreSQL runs as another user when we are root, and must be able to reach its folder inside. */
async function makeDataDir(isEmbedded: boolean): Promise<string> {
  await sweepAbandonedServers()
  const folder = mkdtempSync(join(tmpdir(), `${directoryPrefix}${process.pid}-`))
  chmodSync(folder, 0o755)
  if (isEmbedded) await copyTemplateTo(folder)
  return folder
}

function spawnServer(
  options: StartServerOptions,
  dataDir: string,
  ports: ServerProcess['ports'],
  log: string[],
): ChildProcess {
  const roles = options.roles ? ['--roles', options.roles.join(',')] : []
  const env = {
    ...ordinaryEnvironment(),
    ATOLL_DATA_DIR: dataDir,
    // Of root's servers: their copies of the agent are made once for all, what they do is in their folder.
    ATOLL_RUN_DIR: join(repositoryRoot, '.cache/run'),
    ATOLL_INSTANCE_DIR: join(dataDir, 'homes'),
    ATOLL_PORT: String(ports.console),
    ATOLL_WALLET_PORT: String(ports.wallet),
    ATOLL_EDGE_PORT: String(ports.edge),
    ATOLL_VAULT_PORT: String(ports.vault),
    // Many tests share one address and one account; their calls are no flood.
    ATOLL_RATE_FACTOR: '1000',
    ...options.env,
  }
  const child = spawn(process.execPath, [serverProgram(), ...roles], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => log.push(line))
  }
  return child
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

async function endLeftovers(dataDir: string): Promise<void> {
  for (const { pid, command } of listProcessesOf(dataDir)) {
    // SIGQUIT takes a postmaster's children along; an agent has nothing to save in a folder that is thrown away.
    signalIfAlive(pid, command[0]?.includes('postgres') ? 'SIGQUIT' : 'SIGKILL')
  }
  await until('nothing runs in the data folder any more', () => listProcessesOf(dataDir).length === 0)
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
