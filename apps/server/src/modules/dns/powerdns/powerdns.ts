/** PowerDNS as what answers for the zones: programs of the operator's, sent every version over their API. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { enqueueReconcile } from '../../../platform/reconcile/index.ts'
import type { SourceCheck } from '../../../platform/sources/index.ts'
import { countCopies } from './copy-store.ts'
import { createPowerDns } from './powerdns-client.ts'
import { zoneReconcile, zoneReconcileJob, zoneSweep } from './zone-reconcile.ts'
import { sourcesOf } from './zone-sources.ts'
import { zoneStrays } from './zone-strays.ts'

export interface PowerDnsSettings {
  /** Of each PowerDNS, without a trailing slash. */
  urls: readonly string[]
  key: string
}

/** Figures about each PowerDNS. */
export interface PowerDnsFigures {
  server: string
  /** Zones that it has as they should be, and the others. */
  current: number
  behind: number
  /** Questions of this process, by how they ended. */
  calls: Readonly<Record<string, number>>
  /** Zones that this process found changed there and put right. */
  repairs: number
}

export interface PowerDnsDriver {
  /** Has a zone that `trx` writes published when it commits. */
  wake(trx: Trx, domain: string): Promise<void>
  jobs: Job[]
  /** Each of the programs. */
  sources: SourceCheck[]
  measure(): Promise<PowerDnsFigures[]>
}

/** Has the workers' driver publish a zone that `trx` writes, when it commits. */
export async function wakePowerDns(trx: Trx, domain: string): Promise<void> {
  await enqueueReconcile(trx, zoneReconcileJob, domain)
}

/**
 * `secrets`: this deployment's own, by which its zones are distinguished from those of others at the same PowerDNS. The
 * first one marks them.
 */
export function createPowerDnsDriver(deps: {
  db: Db
  clock: Clock
  log: Log
  settings: PowerDnsSettings
  secrets: readonly string[]
  /** How long a zone that no row names is kept, ms. */
  strayMs: number
}): PowerDnsDriver {
  const { db, clock, log, settings, secrets, strayMs } = deps
  const accounts = secrets.map((secret) => `atoll-${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`)
  const servers = settings.urls.map((url) => createPowerDns({ url, key: settings.key, accounts, clock, log }))
  const repairs = new Map<string, number>()
  const publishing = {
    db,
    clock,
    servers,
    onRepair: (server: string) => void repairs.set(server, (repairs.get(server) ?? 0) + 1),
  }
  return {
    wake: wakePowerDns,
    jobs: [zoneReconcile(publishing), zoneSweep(publishing), zoneStrays({ ...publishing, strayMs })],
    sources: sourcesOf(publishing),
    async measure() {
      const counts = await countCopies(
        db,
        servers.map(({ server }) => server),
      )
      return servers.map(({ server, calls }) => ({
        ...(counts.find((count) => count.server === server) ?? { current: 0, behind: 0 }),
        server,
        calls: calls(),
        repairs: repairs.get(server) ?? 0,
      }))
    },
  }
}
