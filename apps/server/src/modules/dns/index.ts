/** Our DNS: the zones of customers' domains, and the name server that answers for them. */
import type { Db } from '../../platform/db/index.ts'
import type { Listener } from '../../platform/events/index.ts'
import type { Log } from '../../platform/log.ts'
import { createDnsServer, type DnsServer } from './serving/dns-server.ts'
import { createQueryCounts, type QueryCount } from './serving/query-counts.ts'
import { followZones, type LiveZones } from './zones/zone-map.ts'

export type { QueryCount } from './serving/query-counts.ts'
export type { ZoneInput } from './zones/zone.ts'
export { removeZone, setZone } from './zones/zone-store.ts'

export interface DnsDeps {
  db: Db
  listener: Listener
  log: Log
  config: { host: string; dnsRate: number }
}

export interface Dns {
  /**
   * Reads the zones and answers for them, over UDP and TCP. Resolves with the port, which differs from the one asked
   * for when that was 0.
   */
  listen(port: number): Promise<number>
  close(): Promise<void>
  /** What this process answered so far. */
  counts(): QueryCount[]
}

export function createDns({ db, listener, log, config }: DnsDeps): Dns {
  const counts = createQueryCounts()
  let server: DnsServer | undefined
  let live: LiveZones | undefined
  return {
    async listen(port) {
      live = await followZones({ db, listener, log })
      server = createDnsServer({ zones: live.zones, counts, log, rate: config.dnsRate })
      return await server.listen(config.host, port)
    },
    async close() {
      await server?.close()
      await live?.close()
    },
    counts: counts.read,
  }
}
