import { fileURLToPath } from 'node:url'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { boundProvider } from './bounded-provider.ts'
import type { Catalog, CatalogCloud } from './catalog.ts'
import type { ComputeProvider } from './compute-provider.ts'
import { createLxdProvider } from './drivers/lxd/lxd-provider.ts'
import { createProcessProvider } from './drivers/process/process-provider.ts'
import { createSelfHostProvider, type SelfHostMachines } from './drivers/self-host/self-host-provider.ts'

export interface ComputeOptions {
  config: { dataDir: string; controlUrl: string; selfHostSilenceMs: number }
  log: Log
  catalog: Catalog
  /** Machines of owners' own. */
  machines: SelfHostMachines
  /** How long one call to a provider may take, ms. Longer than the drivers' own grace for a stop. Default 15 000. */
  callTimeoutMs?: number
}

/** The clouds of the catalogue with the driver of each. */
export interface Compute {
  readonly catalog: Catalog
  /** The provider of a cloud, or of machines of owners' own (`selfHost`); undefined for one that has left the catalogue. */
  provider(cloudName: string): ComputeProvider | undefined
  /** Each provider once, though several clouds may share it. */
  providers(): ComputeProvider[]
}

/** Where `npm run image:build` leaves the image of instances. */
export const imageFolder = fileURLToPath(new URL('../../../../../.cache/image', import.meta.url))
/** A machine of an LXD may have to unpack an image and to wait for another that does not answer. ms */
const lxdTimeoutMs = 60_000

/** Builds the drivers that the catalogue names. */
export function createCompute({ config, log, catalog, machines, callTimeoutMs = 15_000 }: ComputeOptions): Compute {
  const built = new Map<string, ComputeProvider>()
  const clouds = new Map<string, ComputeProvider>()
  // No cloud of a catalogue can have this name: it has a capital letter.
  clouds.set('selfHost', createSelfHostProvider({ machines, silenceMs: config.selfHostSilenceMs }))
  for (const cloud of catalog.clouds) {
    // All clouds of this machine are one; each LXD has its own settings and regions.
    const key = cloud.driver === 'process' ? 'process' : cloud.cloudName
    const provider = built.get(key) ?? build(cloud)
    built.set(key, provider)
    clouds.set(cloud.cloudName, provider)
  }
  return { catalog, provider: (cloudName) => clouds.get(cloudName), providers: () => [...built.values()] }

  function build(cloud: CatalogCloud): ComputeProvider {
    if (!cloud.lxd) return boundProvider(createProcessProvider({ dataDir: config.dataDir, log }), callTimeoutMs)
    requireReachable(cloud.cloudName, cloud.lxd.controlUrl ?? config.controlUrl)
    const regions = new Map(cloud.regions.map(({ regionId, members }) => [regionId, members]))
    const membersOf = (region: string) => regions.get(region)
    const provider = createLxdProvider({ settings: cloud.lxd, log, membersOf, imageFolder })
    return boundProvider(provider, Math.max(callTimeoutMs, lxdTimeoutMs))
  }
}

/** A container's own 127.0.0.1 is not this machine's: every create would wait for an agent that never reports. */
function requireReachable(cloudName: string, controlUrl: string): void {
  const { hostname } = new URL(controlUrl)
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return
  throw new OperatorError(
    `The instances of the cloud "${cloudName}" cannot reach the control plane at ${controlUrl}. Set ATOLL_CONTROL_URL, or lxd.controlUrl of the cloud, to an address that they can reach, and ATOLL_HOST to one that listens there.`,
  )
}
