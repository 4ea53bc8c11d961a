/**
 * Whether a laid out release works without the checkout that made it: every file of the bundle loads, and the server
 * starts on a new PostgreSQL, by the release's Node, in an empty environment, and stops without a fault.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePorts, startPostgresServer, until } from '@atoll/testkit'
import { programs } from './bundle.ts'
import { nodeOptions } from './layout.ts'

const run = promisify(execFile)

/** Imports each of the files that its arguments name, and says which do not load. */
const importer = `let bad = 0
for (const file of process.argv.slice(1)) {
  try { await import(file) } catch (error) { bad += 1; console.error(file + ': ' + error) }
}
process.exit(bad === 0 ? 0 : 1)`

/** Imports every file of the bundle in `folder`, the programs excepted; how many. Throws naming those that fail. */
export async function importEveryChunk(folder: string): Promise<number> {
  const server = join(folder, 'server')
  const files = readdirSync(server).filter((name) => name.endsWith('.mjs') && !programs.includes(name.slice(0, -4)))
  const paths = files.map((name) => join(server, name))
  await run(join(folder, 'node/bin/node'), ['--input-type=module', '-e', importer, '--', ...paths], { env: {} })
  return files.length
}

export interface Start {
  /** From the start of the process to the first 200 of /readyz, on a database that is up to date. */
  readyMs: number
  /** Processor time until then; what a loaded machine does not change. */
  processorMs: number
  /** Resident memory once it is ready, MB of 2^20 bytes. */
  memoryMb: number
  /** The answer of /healthz. */
  health: unknown
}

/** Starts the server of the release in `folder` with `roles`, an empty database and nothing else; then stops it. */
export async function startOnce(folder: string, roles: string): Promise<Start> {
  const home = mkdtempSync(join(tmpdir(), 'atoll-release-'))
  const postgres = await startPostgresServer()
  try {
    const [port = 0, wallet, edge, vault] = await findFreePorts(4)
    const env = {
      HOME: home,
      PATH: '/usr/bin:/bin',
      ATOLL_DATA_DIR: join(home, 'data'),
      DATABASE_URL: postgres.url('postgres'),
      ATOLL_SECRET_KEY: 'a key of a test that nothing else uses',
      ATOLL_PORT: String(port),
      ATOLL_WALLET_PORT: String(wallet),
      ATOLL_EDGE_PORT: String(edge),
      ATOLL_VAULT_PORT: String(vault),
      ATOLL_CONTROL_URL: `http://127.0.0.1:${port}`,
    }
    const program = [join(folder, 'node/bin/node'), join(folder, 'server/atoll.mjs')] as const
    await run(program[0], [program[1], 'migrate'], { env, cwd: home })
    const started = [program[0], ...nodeOptions, program[1], '--roles', roles]
    return await measureStart(started, { env, cwd: home, port })
  } finally {
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measureStart(
  [node = '', ...args]: string[],
  { port, ...where }: { env: Record<string, string>; cwd: string; port: number },
): Promise<Start> {
  const begun = performance.now()
  const child = spawn(node, args, { ...where, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (data: Buffer) => {
    log += data.toString()
  })
  let start: Start
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) })
    const isReady = async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The release does not start:\n${log}`)
      return await ask('/readyz').then(
        ({ ok }) => ok,
        () => false, // not listening yet
      )
    }
    await until('the release is ready', isReady, {
      timeoutMs: 60_000,
      intervalMs: 10,
      onTimeout: () => log.slice(-4000),
    })
    const readyMs = Math.round(performance.now() - begun)
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    // Fields after the command's closing bracket: 11 and 12 are ticks of 10 ms in the program and in the kernel.
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const processorMs = (Number(fields[11]) + Number(fields[12])) * 10
    const health: unknown = await (await ask('/healthz')).json()
    start = { readyMs, processorMs, memoryMb: Math.round(Number(kilobytes) / 1024), health }
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw error
  }
  child.kill('SIGTERM')
  const [code, signal] = await ended
  if (code !== 0) throw new Error(`The release stopped with ${code ?? signal}:\n${log.slice(-2000)}`)
  return start
}
