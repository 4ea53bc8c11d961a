import { join } from 'node:path'
import { installRoot, isRelease } from '../../platform/install.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import type { Role } from '../../platform/settings/platform-settings.ts'
import type { Catalog, CatalogCloud, LiveCatalog } from '../catalog/index.ts'
import { createLxdClient } from './drivers/lxd/lxd-client.ts'
import { readBuiltImage } from './drivers/lxd/lxd-images.ts'
import { createLxdProvider } from './drivers/lxd/lxd-provider.ts'
import type { FolderId } from './drivers/process/folder-guard.ts'
import { type PlaceOptions, prepareInstancePlace } from './drivers/process/instance-place.ts'
import { createProcessProvider } from './drivers/process/process-provider.ts'
import { createSelfHostProvider, type SelfHosts } from './drivers/self-host/self-host-provider.ts'
import { boundProvider } from './provider/bounded-provider.ts'
import type { ComputeProvider, InstanceChange, ProviderWatch } from './provider/compute-provider.ts'

export interface ComputeOptions {
  config: PlaceOptions & { controlUrl: string; selfHostSilenceMs: number; roles: readonly Role[] }
  log: Log
  catalog: Pick<LiveCatalog, 'current' | 'use'>
  /** Of the folder with the instances of `process`, as the database knows it. */
  folderId: FolderId
  /** Hosts. */
  hosts: SelfHosts
  /** How long one call to a provider may take, ms. Longer than the drivers' own grace for a stop. Default 15 000. */
  callTimeoutMs?: number
}

/** The clouds of the catalogue with the driver of each. */
export interface Compute {
  /** As it is now; an operator may change it while the server runs. */
  readonly catalog: Catalog
  /**
   * The provider of a cloud, or of hosts (`selfHost`); undefined for one that has left the
   * catalogue.
   */
  provider(cloudName: string): ComputeProvider | undefined
  /** Each provider once, though several clouds may share it. */
  places(): ProviderPlace[]
  /** Reports changes at any provider that were not requested here. */
  watch(onChange: (change: InstanceChange) => void): ProviderWatch
}

/** A provider with its permanent name: `process` is this machine, each LXD has the name of its cloud. */
export interface ProviderPlace {
  place: string
  provider: ComputeProvider
}

/** Where a release has the image of instances, or `npm run image:build` leaves it. */
export const imageFolder = join(installRoot, isRelease ? 'image' : '.cache/image')
/** A member of an LXD cluster may have to unpack an image and to wait for another that does not answer. ms */
const lxdTimeoutMs = 60_000

/**
 * Creates the drivers that the catalogue names, now and after each change of it. A driver stays as long as its entry in
 * the catalogue is unchanged; one whose settings changed is created again, which is safe because drivers keep no state.
 */
export function createCompute({
  config,
  log,
  catalog,
  folderId,
  hosts,
  callTimeoutMs = 15_000,
}: ComputeOptions): Compute {
  // No cloud of a catalogue can have this name: it has a capital letter.
  const selfHost = createSelfHostProvider({ hosts, silenceMs: config.selfHostSilenceMs })
  let built = new Map<string, { settings: string; provider: ComputeProvider }>()
  let clouds = new Map<string, ComputeProvider>()
  const watchers = new Set<Watcher>()
  const providers = () => [...built.values()].map(({ provider }) => provider)
  catalog.use((next) => {
    const kept: typeof built = new Map()
    const named: typeof clouds = new Map()
    for (const cloud of next.clouds) {
      // All clouds of this machine are one; each LXD has its own settings and regions.
      const key = cloud.driver === 'process' ? 'process' : cloud.cloudName
      const settings = JSON.stringify(cloud.lxd ?? null)
      const known = kept.get(key) ?? built.get(key)
      const entry = known?.settings === settings ? known : { settings, provider: build(cloud) }
      kept.set(key, entry)
      named.set(cloud.cloudName, entry.provider)
    }
    built = kept
    clouds = named
    for (const watcher of watchers) {
      follow(watcher, providers()).catch((error: unknown) => log.error({ err: error }, 'a provider is still watched'))
    }
  })
  return {
    get catalog() {
      return catalog.current()
    },
    provider: (cloudName) => (cloudName === 'selfHost' ? selfHost : clouds.get(cloudName)),
    places: () => [...built].map(([place, { provider }]) => ({ place, provider })),
    watch(onChange) {
      const watcher: Watcher = { onChange, watched: new Map() }
      watchers.add(watcher)
      void follow(watcher, providers()) // nothing is left yet, so nothing is waited for
      return {
        async stop() {
          watchers.delete(watcher)
          await follow(watcher, [])
        },
      }
    },
  }

  function build(cloud: CatalogCloud): ComputeProvider {
    if (!cloud.lxd) {
      // Only workers start instances.
      const place = config.roles.includes('worker') ? prepareInstancePlace(config, log) : { dataDir: config.dataDir }
      return boundProvider(createProcessProvider({ ...place, log, folderId }), callTimeoutMs)
    }
    requireReachable(cloud.cloudName, cloud.lxd.controlUrl ?? config.controlUrl)
    // Looked up when it is asked: regions may change without the driver.
    const membersOf = (region: string) =>
      catalog
        .current()
        .clouds.find(({ cloudName }) => cloudName === cloud.cloudName)
        ?.regions.find(({ regionId }) => regionId === region)?.members
    const provider = createLxdProvider({ settings: cloud.lxd, log, membersOf, imageFolder })
    return boundProvider(provider, Math.max(callTimeoutMs, lxdTimeoutMs))
  }
}

interface Watcher {
  onChange(change: InstanceChange): void
  watched: Map<ComputeProvider, ProviderWatch>
}

/** Subscribes `watcher` to these providers and to no others. */
async function follow({ onChange, watched }: Watcher, providers: readonly ComputeProvider[]): Promise<void> {
  for (const provider of providers) {
    const watch = watched.has(provider) ? undefined : provider.watch?.(onChange)
    if (watch) watched.set(provider, watch)
  }
  const left = [...watched].filter(([provider]) => !providers.includes(provider))
  for (const [provider] of left) watched.delete(provider)
  await Promise.all(left.map(([, watch]) => watch.stop()))
}

/** Throws unless this process can read the image that is given to LXD. */
export async function requireBuiltImage(): Promise<void> {
  await readBuiltImage(imageFolder)
}

/** Throws what the start would throw on: an LXD whose settings cannot be used. Nothing is connected to. */
export async function checkClouds({ clouds }: Catalog, config: { controlUrl: string }): Promise<void> {
  for (const { cloudName, lxd } of clouds) {
    if (!lxd) continue
    requireReachable(cloudName, lxd.controlUrl ?? config.controlUrl)
    await createLxdClient(lxd).close()
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
