import type { Log } from '../../platform/log.ts'
import { boundProvider } from './bounded-provider.ts'
import type { Catalog } from './catalog.ts'
import type { ComputeProvider } from './compute-provider.ts'
import { createProcessProvider } from './drivers/process/process-provider.ts'

export interface ComputeOptions {
  config: { dataDir: string }
  log: Log
  catalog: Catalog
  /** How long one call to a provider may take, ms. Longer than the drivers' own grace for a stop. Default 15 000. */
  callTimeoutMs?: number
}

/** The clouds of the catalogue with the driver of each. */
export interface Compute {
  readonly catalog: Catalog
  /** The provider of a cloud; undefined for one that has left the catalogue. */
  provider(cloudName: string): ComputeProvider | undefined
  /** Each provider once, though several clouds may share it. */
  providers(): ComputeProvider[]
}

/** Builds the drivers that the catalogue names. */
export function createCompute({ config, log, catalog, callTimeoutMs = 15_000 }: ComputeOptions): Compute {
  const drivers = {
    process: () => createProcessProvider({ dataDir: config.dataDir, log }),
  } as const satisfies Record<Catalog['clouds'][number]['driver'], () => ComputeProvider>
  const built = new Map<string, ComputeProvider>()
  const clouds = new Map<string, ComputeProvider>()
  for (const { cloudName, driver } of catalog.clouds) {
    const provider = built.get(driver) ?? boundProvider(drivers[driver](), callTimeoutMs)
    built.set(driver, provider)
    clouds.set(cloudName, provider)
  }
  return { catalog, provider: (cloudName) => clouds.get(cloudName), providers: () => [...built.values()] }
}
