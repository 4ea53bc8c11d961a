/** Changes that setup makes to this machine, as root. Each step may be repeated. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { resolve4, resolve6, resolveCname, resolveNs } from 'node:dns/promises'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findSystemUser } from '../../../platform/data-folder/system-user.ts'
import { deploymentSql } from '../../../platform/facts/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { checkLocalLxd, localEndpoint, prepareLocalLxd } from './local-lxd.ts'
import { type Plan, type PlannedFile, settingsFolder } from './plan.ts'
import type { Given } from './questions.ts'

const run = promisify(execFile)
const readyTries = 60

/** Runs a program, and gives what it prints. */
export async function ask(program: string, ...args: string[]): Promise<string> {
  try {
    return (await run(program, args)).stdout
  } catch (error) {
    // A program that is not there says nothing.
    const said = (error instanceof Error && 'stderr' in error && String(error.stderr).trim()) || String(error)
    throw new OperatorError(`${[program, ...args].join(' ')}: ${said}`, { cause: error })
  }
}

/**
 * Creates role and database, over the socket, without a password; the role may create databases for restores and see
 * standbys.
 */
export async function makeDatabase(): Promise<void> {
  const psql = (database: string, text: string) =>
    ask('runuser', '-u', 'postgres', '--', 'psql', '-v', 'ON_ERROR_STOP=1', '-qtAc', text, database)
  const has = async (text: string) => (await psql('postgres', text)).trim() === '1'
  if (!(await has(`select 1 from pg_roles where rolname = 'atoll'`))) await psql('postgres', 'create role atoll login')
  await psql('postgres', 'alter role atoll createdb')
  await psql('postgres', 'grant pg_monitor to atoll')
  if (!(await has(`select 1 from pg_database where datname = 'atoll'`)))
    await psql('postgres', `create database atoll owner atoll encoding 'UTF8' template template0`)
}

const lxc = (...args: string[]) => ask('lxc', ...args)

/** Throws in words where the LXD of this machine cannot be made ready. Changes nothing. */
export async function checkLxd({ 'control-address': address = '' }: Given): Promise<void> {
  await checkLocalLxd(lxc, { address, endpoint: localEndpoint })
}

/** Makes the LXD of this machine ready; the database is up to date, and says which deployment it is. */
export async function makeLxdReady(given: Given): Promise<void> {
  const deployment = (
    await ask('runuser', '-u', 'atoll', '--', 'psql', '-v', 'ON_ERROR_STOP=1', '-qtAc', deploymentSql, 'atoll')
  ).trim()
  const {
    'lxd-network': network = '',
    'lxd-mail-network': mailNetwork = 'none',
    'lxd-client-cert': clientCert = '',
    'lxd-client-key': clientKey = '',
    'lxd-server-cert': serverCert = '',
    'control-address': address = '',
  } = given
  const { gid } = serviceUser()
  await prepareLocalLxd(lxc, {
    network,
    mailNetwork: mailNetwork === 'none' ? undefined : mailNetwork,
    address,
    endpoint: localEndpoint,
    project: 'atoll',
    deployment,
    files: { clientCert, clientKey, serverCert },
    write: (path, text) => void putFile(path, text, { mode: 0o640, gid }),
  })
}

function serviceUser() {
  const user = findSystemUser('atoll')
  if (!user) throw new OperatorError('There is no user atoll: install the package first.')
  return user
}

/**
 * Writes the files; returns those that were created or changed. The previous content is kept beside each: `putFile`.
 */
export function writeFiles(files: readonly PlannedFile[]): string[] {
  const user = serviceUser()
  mkdirSync(settingsFolder, { recursive: true, mode: 0o750 })
  return files.flatMap(({ path, mode, text = `${randomBytes(32).toString('base64url')}\n`, keeps }) => {
    if (keeps && existsSync(path)) return []
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
    return putFile(path, text, { mode, gid: path.startsWith(settingsFolder) ? user.gid : undefined }) ? [path] : []
  })
}

/**
 * Writes a file atomically; false: it has that content already. Its previous content, which may have been written by
 * hand, stays beside it as `NAME.before`, `NAME.before-2` and so on.
 */
export function putFile(path: string, text: string, { mode, gid }: { mode: number; gid: number | undefined }): boolean {
  const said = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const ended = text.endsWith('\n') ? text : `${text}\n`
  if (said === ended) return false
  const draft = `${path}.new`
  // One that was left by a run that was killed may be open to others.
  rmSync(draft, { force: true })
  writeFileSync(draft, ended, { mode: 0o600 })
  if (gid !== undefined) chownSync(draft, 0, gid)
  chmodSync(draft, mode)
  if (said !== '') keepBeside(path)
  renameSync(draft, path)
  return true
}

function keepBeside(path: string): void {
  let kept = `${path}.before`
  for (let number = 2; existsSync(kept); number += 1) {
    // A run that was killed before the new one took its place has kept it.
    if (statSync(kept).ino === statSync(path).ino) return
    kept = `${path}.before-${number}`
  }
  linkSync(path, kept)
}

/** Ports that somebody else has. Those that systemd holds for us are ours. */
export async function listTakenPorts(ports: readonly number[]): Promise<number[]> {
  const ours = await ask('systemctl', 'list-sockets', '--no-legend', 'atoll*')
  const tried = await Promise.all(
    ports.map(async (port) => (new RegExp(`:${port}\\s`).test(ours) || (await isFree(port)) ? [] : [port])),
  )
  return tried.flat()
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')))
  // A name server has addresses of its own; that another listens on loopback is no matter.
  server.listen({ port, host: port === 53 ? '::1' : '::' }, () => server.close(() => resolve(true)))
  return await promise
}

/** Which records the world does not have yet, as this machine sees it. */
export async function listMissing(records: Plan['records']): Promise<Plan['records']> {
  const seen = await Promise.all(records.map(async (record) => ((await isSeen(record)) ? [] : [record])))
  return seen.flat()
}

async function isSeen({ name, type, value }: Plan['records'][number]): Promise<boolean> {
  const asked = name.replace(/^\*\./, 'atoll--setup.')
  const resolvers: Record<string, (name: string) => Promise<string[]>> = {
    A: resolve4,
    AAAA: resolve6,
    CNAME: resolveCname,
    NS: resolveNs,
  }
  try {
    return (await resolvers[type]?.(asked))?.includes(value) ?? false
  } catch {
    return false // not there, or nobody answers: shown as what is to be added
  }
}

/** A socket is not changed while its service runs. */
export async function startUnits(units: readonly string[]): Promise<void> {
  await ask('systemctl', 'daemon-reload')
  await ask('systemctl', 'stop', 'atoll-*.socket', 'atoll@*.service')
  await ask('systemctl', 'enable', ...units)
  const sockets = units.filter((unit) => unit.endsWith('.socket'))
  await ask('systemctl', 'start', ...sockets, 'atoll-edge.socket', 'atoll-api.socket')
  await ask('systemctl', 'start', ...units.filter((unit) => !sockets.includes(unit)))
}

/** Until the api says that it is ready, which no unit of the target has to be. */
export async function awaitReady(api: string): Promise<void> {
  let said = 'it does not answer'
  for (let tries = 0; tries < readyTries; tries += 1) {
    try {
      const answer = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(2000) })
      if (answer.ok) return
      said = await answer.text()
    } catch (error) {
      // With a socket of systemd a start that fails over and over shows as no answer.
      said = error instanceof Error ? error.message : String(error)
    }
    await sleep(1000)
  }
  throw new OperatorError(`The api is not ready: ${said}. Its log says why: journalctl -u atoll@api`)
}
