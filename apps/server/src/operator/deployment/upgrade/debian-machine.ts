/** A machine with the Debian package, as root: units of systemd, versions below /usr/lib/atoll (release/debian). */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { OperatorError } from '../../../platform/operator-error.ts'
import { say } from '../../run-operator-command.ts'
import type { Machine } from './steps.ts'

const run = promisify(execFile)
const root = '/usr/lib/atoll'
const versions = join(root, 'versions')
const settings = '/etc/atoll'
/**
 * While it exists, no role starts: with its socket open, the next request would start it. It names the units that were
 * stopped, a line each, for the command after one that was killed.
 */
const hold = '/run/atoll.hold'
const order = ['worker', 'vault', 'dns', 'edge', 'api']

const Outlook = z.object({
  pending: z.array(z.object({ name: z.string(), oldestProgram: z.string().optional() })),
  databaseBytes: z.number(),
})
const Manifest = z.object({ version: z.string() })

/** The version that the package laid out last. */
export function packageVersion(): string {
  return Manifest.parse(JSON.parse(readFileSync(join(root, 'package/package.json'), 'utf8'))).version
}

/** The public key that came with a version, default the one in use; undefined: it is not signed. */
export function installedKey(version?: string): string | undefined {
  const file = join(version === undefined ? join(root, 'current') : join(versions, version), 'release-key.pem')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Lays out the package in `file`; apt brings what it depends on. */
export async function installPackage(file: string): Promise<void> {
  await passThrough('apt-get', ['install', '-y', '-q', '--no-install-recommends', file])
}

/** Starts what a command that was killed has left stopped. No other is under way: the caller has the lock of these. */
export async function endHold(): Promise<void> {
  if (!existsSync(hold)) return
  const stopped = readFileSync(hold, 'utf8').split(/\s+/).filter(Boolean)
  rmSync(hold)
  if (stopped.length === 0) return
  say(`A command that was killed has left these stopped, and they are started: ${stopped.join(', ')}.`)
  await run('systemctl', ['start', ...stopped])
}

export function debianMachine(): Machine {
  const linked = (name: string) => {
    try {
      return basename(readlinkSync(join(root, name)))
    } catch {
      return undefined // there is none yet
    }
  }
  const link = (name: string, version: string) => {
    const draft = join(root, `${name}.new`)
    rmSync(draft, { force: true })
    symlinkSync(`versions/${version}`, draft)
    renameSync(draft, join(root, name))
  }
  // Whatever an upgrade does with roles, it does with those that ran when it began.
  let roles: string[] | undefined
  const listRoles = async () => {
    roles ??= await findRoles()
    return roles
  }
  return {
    say,
    current: () => linked('current') ?? '',
    previous: () => linked('previous'),
    notePrevious: (version) => link('previous', version),
    interrupted: () => linked('switching'),
    noteSwitch(from) {
      if (from === undefined) rmSync(join(root, 'switching'), { force: true })
      else link('switching', from)
    },
    listLaidOut: () => readdirSync(versions).filter((name) => existsSync(join(versions, name, 'node/bin/node'))),
    async ask(version) {
      const { stdout } = await run('systemd-run', asService(version, 'atoll.mjs', 'pending')).catch(refuseWith)
      return Outlook.parse(JSON.parse(stdout))
    },
    backUp: () => passThrough('systemd-run', asService('current', 'self-backup.mjs')),
    async copy() {
      const stopped = (await listRoles()).map(unitOf)
      writeFileSync(hold, stopped.join('\n'))
      try {
        if (stopped.length > 0) await run('systemctl', ['stop', ...stopped])
        await passThrough('systemd-run', asService('current', 'self-backup.mjs', 'copy'))
      } finally {
        rmSync(hold, { force: true })
        if (stopped.length > 0) await run('systemctl', ['start', ...stopped])
      }
    },
    migrate: (version) => passThrough('systemd-run', asService(version, 'atoll.mjs', 'migrate')),
    use: (version) => link('current', version),
    listRoles,
    async restart(role) {
      await run('systemctl', ['restart', unitOf(role)]).catch((error: unknown) => {
        throw new OperatorError(`${role} does not start; journalctl -u ${unitOf(role)} says why.`, { cause: error })
      })
    },
    async findUnready(asked) {
      const found = await Promise.all(asked.map(findWhyUnready))
      return found.find((why) => why !== undefined)
    },
    pause: () => delay(1000),
    remove(version) {
      rmSync(join(versions, version), { recursive: true })
      say(`Version ${version} was removed.`)
    },
  }
}

const unitOf = (role: string) => `atoll@${role}.service`

async function findRoles(): Promise<string[]> {
  const asked = ['list-units', '--plain', '--no-legend', '--state=active,activating', 'atoll@*.service']
  const { stdout } = await run('systemctl', asked)
  const running = [...stdout.matchAll(/^atoll@(\w+)\.service/gm)].map(([, role]) => role)
  return order.filter((role) => running.includes(role))
}

/** As `atollctl` runs it: the service's user and settings, nothing of the caller's environment. */
function asService(version: string, program: string, ...args: string[]): string[] {
  const folder = version === 'current' ? join(root, 'current') : join(versions, version)
  return [
    ...['--quiet', '--collect', '--wait', '--pipe', '-p', 'User=atoll', '-p', 'Group=atoll', '-p', 'UMask=0027'],
    ...['-p', 'StateDirectory=atoll', '-p', 'StateDirectoryMode=0750', '-p', 'Environment=RESTIC=/usr/bin/restic'],
    ...['-p', `EnvironmentFile=${settings}/atoll.env`],
    ...[join(folder, 'node/bin/node'), join(folder, 'server', program), ...args],
  ]
}

/** The command's own lines go to the operator. */
async function passThrough(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new OperatorError(`${program} ${args.at(-2)} ${args.at(-1)} ended with ${code}.`)
}

function refuseWith(error: unknown): never {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  throw new OperatorError(said === '' ? String(error) : said, { cause: error })
}

/** Why `role` is not ready; undefined: it is. */
async function findWhyUnready(role: string): Promise<string | undefined> {
  const url = `http://127.0.0.1:${portOf(role)}/readyz`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) })
    return answer.ok ? undefined : `${role} answers ${answer.status} at ${url}.`
  } catch (error) {
    return `${role} does not answer at ${url}: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The role's own file is read after that of all. */
function portOf(role: string): string {
  const files = [join(settings, 'atoll.env'), join(settings, `${role}.env`)].filter((file) => existsSync(file))
  const ports = files.flatMap((file) => /^ATOLL_PORT=["']?(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? [])
  return ports.at(-1) ?? '4800'
}
