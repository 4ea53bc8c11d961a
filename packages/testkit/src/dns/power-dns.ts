/** PowerDNS, the name server of others that we hand zones to, on a database file of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findFreePorts } from '../free-ports.ts'
import { until } from '../until.ts'
import { dnsProgram, dnsProgramsFolder } from './dns-programs.ts'

export interface TestPowerDns extends AsyncDisposable {
  /** Address of its API, without a path. */
  url: string
  key: string
  /** UDP and TCP, on 127.0.0.1. */
  dnsPort: number
  /** Asks its API, as an operator would; `path` begins behind the server, such as `zones`. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; text: string }>
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  /** Starts it again at the same addresses. */
  start(): Promise<void>
}

const key = 'the-key-of-a-test'

export async function startPowerDns(): Promise<TestPowerDns> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-pdns-'))
  const [dnsPort = 0] = await findFreePorts(1)
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  const database = new DatabaseSync(join(folder, 'zones.db'))
  database.exec(readFileSync(findShared('usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'), 'utf8'))
  database.close()
  const config = {
    launch: 'gsqlite3',
    'module-dir': findShared('usr/lib/x86_64-linux-gnu/pdns', 'usr/lib/aarch64-linux-gnu/pdns'),
    'gsqlite3-database': join(folder, 'zones.db'),
    'socket-dir': folder,
    'local-address': '127.0.0.1',
    'local-port': dnsPort,
    // It would hand zones to anybody on this machine.
    'disable-axfr': 'yes',
    api: 'yes',
    'api-key': key,
    webserver: 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': port,
    // It would ask the world whether it is too old.
    'security-poll-suffix': '',
    // A second database connection each for UDP and TCP is enough.
    'receiver-threads': 1,
    'distributor-threads': 1,
    daemon: 'no',
    guardian: 'no',
    setuid: '',
    setgid: '',
  }
  const lines = Object.entries(config).map(([name, value]) => `${name}=${value}`)
  writeFileSync(join(folder, 'pdns.conf'), `${lines.join('\n')}\n`, { mode: 0o600 })
  const said: string[] = []
  let child: ChildProcess | undefined

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`${url}/api/v1/servers/localhost/${path}`, {
      method,
      headers: { 'x-api-key': key },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  async function start(): Promise<void> {
    const { path, env } = dnsProgram('pdns_server')
    child = spawn(path, [`--config-dir=${folder}`], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)))
    await until('PowerDNS answers', async () => (await ask('GET', 'zones')).status === 200, {
      onTimeout: () => said.slice(-20).join(''),
    })
  }
  async function kill(): Promise<void> {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill('SIGKILL')
    await ended
  }
  async function dispose(): Promise<void> {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    url,
    key,
    dnsPort,
    ask,
    kill,
    start,
    [Symbol.asyncDispose]: dispose,
  }
}

/** The first of these that is there, in the project's folder or in the system. */
function findShared(...paths: string[]): string {
  const found = paths.flatMap((path) => [join(dnsProgramsFolder, path), `/${path}`]).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`There is no ${paths.join(' and no ')}`)
  return found
}
