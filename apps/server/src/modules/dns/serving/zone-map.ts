/**
 * Every zone in this process's memory. A notification brings a changed one, or says that it is to be read; all are
 * compared after a lost connection and every 30 s. While the database is away the zones stay as they were last: names
 * are answered on.
 */
import { z } from 'zod'
import type { Db } from '../../../platform/db/index.ts'
import type { Listener } from '../../../platform/events/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import { Zone } from '../zones/zone.ts'
import { listZones, listZoneVersions, zoneChannel } from '../zones/zone-store.ts'
import { compileZone } from './compile-zone.ts'
import { createZoneTable, type ZoneTable } from './zone-table.ts'

export interface LiveZones {
  zones: ZoneTable
  close(): Promise<void>
}

const compareEveryMs = 30_000
/** Zones read with one statement. */
const batchSize = 500

const Changed = z.object({ domain: z.string(), zone: Zone.optional() })

/** Resolves when every zone has been read once; rejects when the database cannot be asked. */
export async function followZones(deps: { db: Db; listener: Listener; log: Log }): Promise<LiveZones> {
  const { db, listener, log } = deps
  const zones = createZoneTable()
  /** Zones to be read; `all`: compare the versions of all zones. */
  let due = { all: true, domains: new Set<string>() }
  let reading: Promise<void> | undefined

  async function readDue(): Promise<void> {
    while (due.all || due.domains.size > 0) {
      const { all, domains } = due
      due = { all: false, domains: new Set() }
      try {
        if (all) for (const domain of await listDiffering()) domains.add(domain)
        await read([...domains])
      } catch (error) {
        // The next comparison reads it.
        due = { all: due.all, domains: due.domains.union(domains) }
        throw error
      }
    }
  }

  async function listDiffering(): Promise<string[]> {
    const versions = await listZoneVersions(db)
    const known = [...zones.domains()].filter((domain) => !versions.has(domain))
    return [
      ...known,
      ...[...versions].filter(([domain, version]) => zones.get(domain)?.serial !== version).map(([d]) => d),
    ]
  }

  async function read(domains: readonly string[]): Promise<void> {
    for (let begin = 0; begin < domains.length; begin += batchSize) {
      const batch = domains.slice(begin, begin + batchSize)
      const found = new Map((await listZones(db, batch)).map((zone) => [zone.domain, zone]))
      for (const domain of batch) {
        const zone = found.get(domain)
        if (zone) zones.set(compileZone(zone))
        else zones.delete(domain)
      }
    }
  }

  function renew(): Promise<void> {
    reading ??= readDue().finally(() => {
      reading = undefined
    })
    return reading
  }
  const renewLater = () =>
    void renew().catch((error: unknown) =>
      log.warn({ err: error }, 'zones cannot be read; the last ones known are served'),
    )

  const stops = [
    listener.on(zoneChannel, (payload) => {
      const { domain, zone } = Changed.parse(payload)
      // A reading under way may return an older version, and would replace this one.
      if (zone && !reading) return zones.set(compileZone(zone))
      due.domains.add(domain)
      renewLater()
    }),
    listener.onResync(() => {
      due.all = true
      renewLater()
    }),
  ]
  const stop = () => {
    for (const stopOne of stops) stopOne()
  }
  try {
    // Before the first reading: what changes during it is notified.
    await listener.ready()
    await renew()
  } catch (error) {
    stop()
    throw error
  }
  const ticker = startTicker(compareEveryMs, log, 'comparing zones', () => {
    due.all = true
    return renew()
  })
  return {
    zones,
    async close() {
      stop()
      await ticker.stop()
      await reading?.catch(() => undefined) // logged when it failed
    },
  }
}
