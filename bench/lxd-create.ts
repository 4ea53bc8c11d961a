import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type LxdServer, startLxdServer } from '@atoll/testkit'
import { singleAccess, startLxdServerProcess } from '../acceptance/stack/lxd-cloud.ts'
import { bareInstance, startBareControlPlane } from './bare-control-plane.ts'
import { measureCreateToRunning } from './create-to-running.ts'
import type { Ratio } from './figures.ts'
import type { Reference } from './reference.ts'

const project = 'atoll'

/**
 * From the order to a running cluster on an LXD, against `lxc launch` of the same image and its agent's own install.
 */
export async function measureLxdCreate(): Promise<Ratio> {
  await using lxd = await startLxdServer()
  await using server = await startLxdServerProcess(singleAccess(lxd), { env: { ATOLL_LOG_LEVEL: 'warn' } })
  return await measureCreateToRunning(server, {
    name: 'create to running on LXD, times lxc launch and the install',
    target: { atMost: 1.25 },
    rounds: 11,
    prepareReference: (version, steps) => prepareLaunch(lxd, version, steps),
  })
}

/** The image and the profile are those that the first create brought. */
async function prepareLaunch(lxd: LxdServer, version: string, steps: string[]): Promise<Reference> {
  const control = await startBareControlPlane(version, steps, lxd.hostAddress)
  const [image = ''] = lxd.daemon
    .run('lxc', ['image', 'list', '--project', project, '--format', 'csv', '-c', 'f'])
    .split('\n')
  const settings = {
    'limits.cpu': 1,
    'limits.memory': '256MiB',
    'user.atoll.instance': bareInstance.instanceId,
    'user.atoll.control-url': `http://${lxd.hostAddress}:${control.port}`,
    'user.atoll.enroll-token': bareInstance.enrollToken,
    'user.atoll.cpu-count': 1,
    'user.atoll.memory-mib': 256,
    'user.atoll.disk-mib': 2048,
    'user.atoll.heap-mib': 128,
  }
  const configs = Object.entries(settings).flatMap(([key, value]) => ['--config', `${key}=${value}`])
  let launched = 0
  /** The sync form would stop this process, in which the control plane answers. */
  async function lxc(...args: string[]): Promise<void> {
    const env = { ...process.env, LXD_DIR: lxd.daemon.folder }
    const child = spawn('lxc', ['--project', project, ...args], { env, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`lxc ${args.join(' ')} ended with ${code}`)
  }
  return {
    async measure() {
      launched += 1
      const name = `bench-${launched}`
      const installed = control.nextInstall()
      const begun = performance.now()
      await lxc('launch', image.trim(), name, '--profile', 'atoll-instance', ...configs)
      await installed
      const ms = performance.now() - begun
      await lxc('delete', '--force', name)
      return ms
    },
    [Symbol.asyncDispose]: () => control[Symbol.asyncDispose](),
  }
}
