/**
 * Zones as rows. Each writer locks the zone's row first, so versions of one zone grow in the order of commits. A
 * version is never given twice, not even to a zone that was removed and made again: a server that compares serials
 * would take the old zone for the new one.
 */
import { type Generated, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { notify, payloadLimit } from '../../../platform/events/index.ts'
import { type Zone, ZoneContent, type ZoneInput, type ZoneRecord } from './zone.ts'

interface ZonesTable {
  domain: string
  version: number
  name_servers: string[]
  updated_at: Generated<Date>
}

interface ZoneRecordsTable {
  domain: string
  name: string
  type: ZoneRecord['type']
  value: string
  ttl: number
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    zones: ZonesTable
    zone_records: ZoneRecordsTable
  }
}

/**
 * Notifies every process that serves zones of a change: `{ domain, zone? }`. Without `zone`, which may be too long or
 * removed, the process reads the zone again.
 */
export const zoneChannel = 'atoll_zone'

/**
 * Makes the zone of `domain` be this, with all of its records, from the caller's commit on. Returns its version, which
 * is the serial that name servers answer; the same one when nothing differs, so it is safe to repeat. Throws a
 * ZodError that names the field when a record cannot be served.
 */
export async function setZone(trx: Trx, zone: ZoneInput): Promise<{ version: number }> {
  const { domain, nameServers, records } = ZoneContent.parse(zone)
  // The row exists and is locked afterwards, even where another transaction inserted it.
  const { rows } = await sql<{ version: number; isNew: boolean }>`
    insert into zones as z (domain, version, name_servers)
    values (${domain}, nextval('zone_versions'), ${nameServers})
    on conflict (domain) do update set domain = z.domain
    returning version, xmax = 0 as "isNew"`.execute(trx)
  const [row] = rows
  if (!row) throw new Error(`The row of the zone ${domain} was neither made nor found`)
  const unique = [...new Map(records.map((record) => [keyOf(record), record])).values()]
  if (!row.isNew) {
    const kept = await listZones(trx, [domain])
    if (kept[0] && sameZone(kept[0], nameServers, unique)) return { version: row.version }
    await trx.deleteFrom('zone_records').where('domain', '=', domain).execute()
    const updated = await trx
      .updateTable('zones')
      .set({ version: sql`nextval('zone_versions')`, name_servers: nameServers, updated_at: sql`now()` })
      .where('domain', '=', domain)
      .returning('version')
      .executeTakeFirstOrThrow()
    row.version = updated.version
  }
  // PostgreSQL takes at most 65 535 parameters a statement; arrays are one each.
  await sql`
    insert into zone_records (domain, name, type, value, ttl)
    select ${domain}, * from unnest(${unique.map(({ name }) => name)}::text[], ${unique.map(({ type }) => type)}::text[],
      ${unique.map(({ value }) => value)}::text[], ${unique.map(({ ttl }) => ttl)}::int[])`.execute(trx)
  const { version } = row
  const whole = { domain, zone: { domain, serial: version, nameServers, records: unique } }
  const isShort = Buffer.byteLength(JSON.stringify(whole)) <= payloadLimit
  await notify(trx, zoneChannel, isShort ? whole : { domain })
  return { version }
}

/** Removes the zone with all of its records, from the caller's commit on. Safe to repeat. */
export async function removeZone(trx: Trx, { domain }: { domain: string }): Promise<void> {
  await trx.deleteFrom('zones').where('domain', '=', domain).execute()
  await notify(trx, zoneChannel, { domain })
}

export async function hasZone(trx: Trx, domain: string): Promise<boolean> {
  return (await trx.selectFrom('zones').select('domain').where('domain', '=', domain).executeTakeFirst()) !== undefined
}

/** The version of every zone by its domain. */
export async function listZoneVersions(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('zones').select(['domain', 'version']).execute()
  return new Map(rows.map(({ domain, version }) => [domain, version]))
}

/** Those zones of `domains` that there are, each of one moment. */
export async function listZones(db: Db | Trx, domains: readonly string[]): Promise<Zone[]> {
  if (domains.length === 0) return []
  // One statement: between two of them a zone could change.
  const { rows } = await sql<{ domain: string; serial: number; nameServers: string[]; records: ZoneRecord[] }>`
    select z.domain, z.version as serial, z.name_servers as "nameServers", coalesce((
      select json_agg(json_build_object('name', r.name, 'type', r.type, 'value', r.value, 'ttl', r.ttl))
      from zone_records r where r.domain = z.domain), '[]') as records
    from zones z where z.domain = any(${domains})`.execute(db)
  return rows
}

const keyOf = ({ name, type, value }: ZoneRecord) => JSON.stringify([name, type, value])

function sameZone(kept: Zone, nameServers: readonly string[], records: readonly ZoneRecord[]): boolean {
  const textOf = (list: readonly ZoneRecord[]) =>
    list
      .map((record) => `${keyOf(record)} ${record.ttl}`)
      .toSorted()
      .join('\n')
  return kept.nameServers.join() === nameServers.join() && textOf(kept.records) === textOf(records)
}
