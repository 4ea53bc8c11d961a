/**
 * A bare Debian 12 with its own systemd, as root on Debian: a root folder that mmdebstrap makes and systemd-nspawn
 * boots, in its own network. The package is installed before it boots, while apt reaches the mirrors of this machine.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@atoll/testkit'
import { installDebianPackages } from '../scripts/programs/debian-packages.ts'

const run = promisify(execFile)
/** The packages of a minimal installation; the package's dependencies install the rest. */
const base = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'iproute2', 'procps', 'curl']
const mostOutput = 16 * 1024 * 1024

export interface DebianMachine {
  /** Runs a command in it; throws with its output unless it ends with 0. */
  run(program: string, ...args: string[]): Promise<string>
  stop(): Promise<void>
}

/** Makes the machine in `folder`, installs `packageFile` with apt, puts `files` (absolute in it) there, and boots. */
export async function bootDebian(
  folder: string,
  packageFile: string,
  files: Readonly<Record<string, string>>,
): Promise<DebianMachine> {
  await installDebianPackages(['mmdebstrap', 'systemd-container'])
  mkdirSync(folder, { recursive: true })
  const root = join(folder, 'root')
  await run('mmdebstrap', ['--variant=minbase', `--include=${base.join(',')}`, 'bookworm', root], {
    maxBuffer: mostOutput,
  })
  // As this machine reaches them.
  for (const path of ['etc/apt/sources.list.d', 'etc/apt/apt.conf.d', 'etc/resolv.conf', 'etc/hosts'])
    if (existsSync(`/${path}`)) cpSync(`/${path}`, join(root, path), { recursive: true, dereference: true })
  mkdirSync(join(root, 'var/tmp'), { recursive: true })
  cpSync(packageFile, join(root, 'var/tmp/atoll.deb'))
  for (const [path, from] of Object.entries(files)) cpSync(from, join(root, path), { recursive: true })
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends /var/tmp/atoll.deb'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('chroot', [root, 'sh', '-c', install], { env, maxBuffer: mostOutput })
  return await boot(root)
}

async function boot(root: string): Promise<DebianMachine> {
  const options = ['--register=no', '--keep-unit', '--private-network', '--console=pipe', '--boot']
  const nspawn = spawn('systemd-nspawn', [`--directory=${root}`, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [nspawn.stdout, nspawn.stderr]) stream.resume()
  const init = await until('its first process runs', () => findInit(nspawn))
  const enter = ['-t', String(init), '-m', '-u', '-i', '-n', '-p', '--']
  const inside = async (...command: string[]) =>
    (await run('nsenter', [...enter, ...command], { maxBuffer: mostOutput, env: { PATH: '/usr/sbin:/usr/bin' } }))
      .stdout
  const state = () => inside('sh', '-c', 'systemctl is-system-running || :')
  await until('it has booted', async () => /running|degraded/.test(await state()), {
    timeoutMs: 240_000,
    onTimeout: async () => `${await state()}${await inside('systemctl', 'list-jobs')}`,
  }).catch((error: unknown) => {
    nspawn.kill('SIGKILL')
    throw error
  })
  await inside('ip', 'link', 'set', 'lo', 'up')
  return {
    run: inside,
    async stop() {
      const ended = once(nspawn, 'exit')
      await inside('systemctl', 'poweroff')
      await ended
    },
  }
}

/** The first process of the machine; systemd-nspawn has had other children before it. */
function findInit({ pid }: ChildProcess): number | undefined {
  const folder = `/proc/${pid}/task`
  const children = readdirSync(folder).flatMap((task) =>
    readFileSync(join(folder, task, 'children'), 'utf8')
      .trim()
      .split(' '),
  )
  return children.map(Number).find((child) => child > 0 && isSystemd(child))
}

function isSystemd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'systemd\n'
  } catch {
    return false // it ended meanwhile
  }
}
