import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryRoot } from '../repository.ts'
import { type LxdDaemon, startLxdDaemon } from './lxd-daemon.ts'
import { openLxdRun } from './lxd-run.ts'

/** An LXD of the test's own with a bridge of its own, and the image of instances built. */
export interface LxdServer extends AsyncDisposable {
  daemon: LxdDaemon
  /** Everything of this run is in it; removed by `dispose`. */
  folder: string
  /** Name of the network that LXD manages. */
  network: string
  /** This machine's address in that network. */
  hostAddress: string
  dispose(): Promise<void>
}

export async function startLxdServer(): Promise<LxdServer> {
  buildGuestImage()
  const run = await openLxdRun()
  try {
    const daemon = await startLxdDaemon(run, 'lxd')
    const network = `${run.tag}br`
    const hostAddress = `${run.subnet}.1`
    const preseed = {
      networks: [
        {
          name: network,
          type: 'bridge',
          config: { 'ipv4.address': `${hostAddress}/24`, 'ipv4.nat': 'false', 'ipv6.address': 'none' },
        },
      ],
      storage_pools: [{ name: 'default', driver: 'dir' }],
    }
    daemon.run('lxd', ['init', '--preseed'], JSON.stringify(preseed))
    return { daemon, folder: run.folder, network, hostAddress, dispose: run.remove, [Symbol.asyncDispose]: run.remove }
  } catch (error) {
    await run.remove()
    throw error
  }
}

/** Nothing happens while the one there is current. */
export function buildGuestImage(): void {
  const script = join(repositoryRoot, 'scripts/image-build.ts')
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], { stdio: 'pipe' })
}
