/** How soon a change of a zone is answered by every name server that we run. */
import { findFreePorts, startPostgresServer, startServer, until } from '@atoll/testkit'
import { setZone } from '../../apps/server/src/modules/dns/index.ts'
import { ask } from '../../apps/server/src/modules/dns/lookups/dns-client.ts'
import { seeServed } from '../../apps/server/src/modules/dns/lookups/see-served.ts'
import { listZones } from '../../apps/server/src/modules/dns/zones/zone-store.ts'
import { createDatabase, migrate } from '../../apps/server/src/platform/db/index.ts'
import { createListener, notify } from '../../apps/server/src/platform/events/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, p99, type Ratio } from '../figures.ts'

/** Enough for a 99th percentile that is not the slowest of them alone. */
const changes = 400
const warmUp = 50
const domain = 'zone0.bench.example'
const channel = 'bench_round_trip'

/**
 * From the commit of a change to its answer by both of two processes ÷ what that needs at least: a notification there
 * and the zone read once. Pairs of the two, one after the other; the 99th percentile of each.
 */
export async function measureZoneChanges(): Promise<Ratio> {
  const postgres = await startPostgresServer()
  const connection = { connectionString: postgres.url('postgres') }
  const database = createDatabase(connection)
  const { db } = database
  const servers: AsyncDisposable[] = []
  const listener = await createListener({ connection, log: silentLog })
  try {
    await migrate(database.pool)
    const ports = await findFreePorts(2)
    const nameServers = ports.map((port, index) => ({
      host: `ns${index + 1}.host.example`,
      address: '127.0.0.1',
      port,
    }))
    for (const { port } of nameServers) {
      const env = {
        DATABASE_URL: connection.connectionString,
        ATOLL_SECRET_KEY: 'a key that both processes have in common',
        ATOLL_NAME_SERVERS: nameServers.map(({ host }, index) => `${host}=192.0.2.${index + 1}`).join(','),
        ATOLL_DNS_RATE: '0',
        ATOLL_DNS_PORT: String(port),
      }
      servers.push(await startServer({ roles: ['dns'], env }))
    }
    let onNotified: (() => void) | undefined
    listener.on(channel, () => onNotified?.())
    await listener.ready()

    /** Commits the `count`th change; ms from then until both answer it. */
    async function change(count: number): Promise<number> {
      let begun = 0
      const { version } = await db.transaction().execute(async (trx) => {
        const hosts = ['lena', '*.lena'].map((label) => `${label}.${domain}`)
        const records = hosts.map((name) => ({ name, type: 'A' as const, value: `192.0.2.${count % 250}` }))
        const set = await setZone(trx, { domain, nameServers: nameServers.map(({ host }) => host), records })
        begun = performance.now()
        return set
      })
      const areServed = async () =>
        (await seeServed(ask, nameServers, { domain, version })).every(({ isServed }) => isServed)
      // Asked without a pause they would be kept from reading it.
      await until('both answer it', areServed, { intervalMs: 1 })
      return performance.now() - begun
    }
    async function roundTripAndLoad(): Promise<number> {
      const arrived = new Promise<void>((resolve) => {
        onNotified = resolve
      })
      const begun = performance.now()
      await notify(db, channel, { domain })
      await arrived
      await listZones(db, [domain])
      return performance.now() - begun
    }

    const times = { change: [] as number[], least: [] as number[] }
    for (let count = 0; count < warmUp + changes; count += 1) {
      const pair = { change: await change(count), least: await roundTripAndLoad() }
      if (count < warmUp) continue
      times.change.push(pair.change)
      times.least.push(pair.least)
    }
    return {
      name: 'name servers, p99 from a change to its answer by both ÷ NOTIFY round trip and one zone load',
      value: p99(times.change) / p99(times.least),
      target: { atMost: 3 },
      from: `${p99(times.change).toFixed(1)} ms, ${p99(times.least).toFixed(1)} ms, medians ${median(times.change).toFixed(1)} ms, ${median(times.least).toFixed(1)} ms, ${changes} changes`,
    }
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]()
    await listener.close()
    await database.close()
    await postgres.stop()
  }
}
