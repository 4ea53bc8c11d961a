/** The DNS records that each step waits for: the lookup, and the records that a person adds for it. */
import type { DomainRecord, OwnRecord } from '@atoll/contract/domains'
import type { Trx } from '../../../platform/db/index.ts'
import type { DomainDeps, HostRecord, Wanted } from '../domain-deps.ts'
import { txtNames, txtValue } from '../names/txt-record.ts'
import { isBound, isFinished } from '../records/domain-state.ts'
import type { DomainRow } from '../records/domain-store.ts'
import { listHostNames } from '../records/host-store.ts'
import { listOwnRecords } from '../records/own-record-store.ts'

type Settings = Pick<DomainDeps, 'config' | 'dns'>

/** The claim's own record. */
export function wantedProof(row: DomainRow): Extract<Wanted, { kind: 'txt' }> {
  return { kind: 'txt', names: txtNames({ domain: row.name, isApex: row.is_apex }), value: txtValue(row.txt_token) }
}

/** The lookup of a check of the domain. */
export function wantedOf(settings: Settings, row: DomainRow): Wanted {
  if (row.status === 'WAIT_TXT' || row.contest_until !== null) return wantedProof(row)
  return wantedPointing(settings, row)
}

/** The records that lead the domain here. */
export function wantedPointing({ config, dns }: Settings, row: Pick<DomainRow, 'method' | 'name'>): Wanted {
  if (row.method === 'ns') return { kind: 'ns', servers: [...dns.nameServers] }
  return { kind: 'cname', name: `*.${row.name}`, target: config.edgeDomain }
}

/** The same as records, in the form in which DNS panels ask for them. */
export function recordsOf(settings: Settings, row: DomainRow): DomainRecord[] {
  const wanted = wantedOf(settings, row)
  const proof = row.unseen_since === null || isFinished(row.status) ? [] : [toTxt(wantedProof(row))]
  switch (wanted.kind) {
    case 'txt':
      return [toTxt(wanted)]
    case 'ns':
      return [
        ...proof,
        ...(wanted.servers.length === 0 ? [] : [{ type: 'NS' as const, name: row.name, values: [...wanted.servers] }]),
      ]
    case 'cname':
      return [...proof, { type: 'CNAME', name: wanted.name, values: [wanted.target] }]
  }
}

function toTxt({ names, value }: Extract<Wanted, { kind: 'txt' }>): DomainRecord {
  const [name = '', alsoAt] = names
  return { type: 'TXT', name, values: [value], ...(alsoAt !== undefined && { alsoAt }) }
}

export type ZoneDeps = Settings & Pick<DomainDeps, 'certificates'>

/**
 * The zone of a domain that is delegated here: the owner's own records, and once it is set up its hosts, each with all
 * below it. `trx` holds the domain's row.
 */
export async function zoneOf({ dns, certificates }: ZoneDeps, trx: Trx, row: DomainRow, isServed: boolean) {
  const { name: domain } = row
  const base = { domain, nameServers: [...dns.nameServers] }
  // Mail goes on from the moment of the delegation, which comes before the rest is set up.
  const own = await listOwnRecords(trx, row.number)
  if (!isServed) return { ...base, records: own }
  const names = (await listHostNames(trx, row)).flatMap((host) => [host, `*.${host}`])
  // An alias cannot stand at a zone's own name (RFC 1034 §3.6.2).
  const apex = dns.hostRecords.filter(({ type }) => type !== 'CNAME').map((record) => ({ name: domain, ...record }))
  const hosts = names.flatMap((name) => dns.hostRecords.map((record) => ({ name, ...record })))
  const issuing = withWildcards(await certificates.listRecords(trx, domain), own)
  return { ...base, records: [...own, ...apex, ...hosts, ...issuing] }
}

/** Where the owner's CAA says who may issue wildcards, our authority is not among them unless it says so too. */
function withWildcards(records: readonly HostRecord[], own: readonly OwnRecord[]): HostRecord[] {
  const isRestricted = own.some(({ type, value }) => type === 'CAA' && value.split(' ')[1] === 'issuewild')
  return records.flatMap((record) =>
    record.type === 'CAA' && isRestricted
      ? [record, { ...record, value: record.value.replace(' issue ', ' issuewild ') }]
      : [record],
  )
}

/**
 * Has the domain served: its zone, where it is delegated here, and its certificates; gives what the row keeps of it.
 * `trx` holds the domain's row.
 */
export async function serveDomain(deps: ZoneDeps, trx: Trx, row: DomainRow): Promise<{ zone_version?: number }> {
  const hosts = await listHostNames(trx, row)
  await deps.certificates.want(trx, {
    number: row.number,
    name: row.name,
    method: row.method,
    hosts,
    isAliased: isAliased(row),
  })
  if (row.method !== 'ns') return {}
  return { zone_version: (await deps.dns.setZone(trx, await zoneOf(deps, trx, row, true))).version }
}

/** Its certificates are proven by what its owner has pointed here. */
export function isAliased({
  method,
  challenge_alias: isPointed,
}: Pick<DomainRow, 'method' | 'challenge_alias'>): boolean {
  return method === 'cname' && isPointed
}

/** The open challenges of `row`, all at the zone's own name. Gives the zone's version. */
async function setChallengeZone(
  { dns, certificates }: ZoneDeps,
  trx: Trx,
  row: DomainRow,
  domain: string,
): Promise<number> {
  const records = (await certificates.listRecords(trx, row.name)).filter(({ type }) => type === 'TXT')
  const zone = { domain, nameServers: [...dns.nameServers], records: records.map((one) => ({ ...one, name: domain })) }
  return (await dns.setZone(trx, zone)).version
}

/**
 * Publishes the zone of a domain that is set up again: its hosts or its certificates changed. `trx` holds the domain's
 * row. Returns the version of its zone; null: it has none.
 */
export async function renewZone(deps: ZoneDeps, trx: Trx, row: DomainRow): Promise<number | null> {
  if (!isBound(row.status)) return null
  const { zone_version: version } = await serveDomain(deps, trx, row)
  if (version !== undefined) return version
  const challenges = isAliased(row) ? deps.dns.challenges?.zoneOf(row.name) : undefined
  if (challenges !== undefined) return await setChallengeZone(deps, trx, row, challenges)
  // One that is moved away by its owner is answered as before meanwhile.
  if (!(await deps.dns.hasZone(trx, row.name))) return null
  return (await deps.dns.setZone(trx, await zoneOf(deps, trx, row, true))).version
}
