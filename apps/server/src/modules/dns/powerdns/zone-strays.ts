/** Zones that this deployment made at a PowerDNS and no row knows, such as after a restore of the database. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { maintainStrays } from '../../../platform/strays/index.ts'
import { listZones } from '../zones/zone-store.ts'
import { deleteCopiesElsewhere } from './copy-store.ts'
import type { ZonePublishing } from './zone-reconcile.ts'
import { listOwn, sourceOf } from './zone-sources.ts'

export const zoneStraysJob = 'zone.strays'

/** Lists them, and has them taken away as strays of any kind are. */
export function zoneStrays({ db, clock, servers, strayMs }: ZonePublishing & { strayMs: number }): Job {
  return defineTimedJob({
    name: zoneStraysJob,
    lane: 'names',
    waits: 'never',
    cron: '23 * * * *',
    async run({ log }) {
      const names = servers.map(({ server }) => server)
      await deleteCopiesElsewhere(db, names)
      for (const powerDns of servers) {
        const own = await listOwn(powerDns)
        // Looked for again in an hour.
        if ('fault' in own) {
          log.warn({ err: own.fault }, 'zones of PowerDNS cannot be listed')
          continue
        }
        const unknown = await listUnknown(
          db,
          powerDns.server,
          own.zones.map(({ domain }) => domain),
        )
        const { server: place, removeZone: remove } = powerDns
        const terms = { now: clock.now(), keepMs: strayMs, log }
        await maintainStrays(db, { kind: 'zone', place, source: sourceOf(powerDns), remove }, unknown, terms)
      }
    },
  })
}

/** One that has a copy's row was removed here, and is removed there by its reconciler. */
async function listUnknown(db: Db, server: string, domains: readonly string[]): Promise<string[]> {
  if (domains.length === 0) return []
  const copies = await db
    .selectFrom('zone_copies')
    .select('domain')
    .where('server', '=', server)
    .where('domain', '=', sql<string>`any(${[...domains]}::text[])`)
    .execute()
  const known = new Set([...copies, ...(await listZones(db, domains))].map(({ domain }) => domain))
  return domains.filter((domain) => !known.has(domain))
}

/** After a restore: gives every zone a new version, later than any that was served. Safe to repeat. */
export async function renumberZones(db: Db): Promise<void> {
  await sql`update zones set version = nextval('zone_versions'), updated_at = now()`.execute(db)
}
