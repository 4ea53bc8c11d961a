/** An account's acts on its own records in the zone of its domain. */
import { mostOwnRecords, type OwnRecord, type TypedRecord } from '@atoll/contract/domains'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { renewZone, zoneOf } from '../lifecycle/awaited.ts'
import { lockDomain, sourceOf } from '../lifecycle/own-domain.ts'
import { isOwnRecordFault, parseOwnRecord } from '../names/own-record.ts'
import { isBound, isProven } from '../records/domain-state.ts'
import type { DomainRow } from '../records/domain-store.ts'
import { listOwnRecords, setOwnRecords } from '../records/own-record-store.ts'

export interface RecordOrder extends TypedRecord {
  domain: string
}

/** Safe to repeat. */
export async function addOwnRecord(deps: DomainDeps, caller: Caller, order: RecordOrder): Promise<OwnRecord[]> {
  return await changeRecords(deps, caller, order, 'domain.addRecord', (kept, record) => [...kept, record])
}

/** Safe to repeat. */
export async function removeOwnRecord(deps: DomainDeps, caller: Caller, order: RecordOrder): Promise<OwnRecord[]> {
  return await changeRecords(deps, caller, order, 'domain.removeRecord', (kept, record) =>
    kept.filter((one) => !isSame(one, record)),
  )
}

/** Has a domain that is delegated from now on begin with these. `trx` holds its row. */
export async function beginRecords(trx: Trx, row: DomainRow, typed: readonly TypedRecord[]): Promise<void> {
  const records: OwnRecord[] = []
  for (const one of typed) {
    const record = readRecord(row.name, one)
    if (!records.some((other) => isSame(other, record))) records.push(record)
  }
  // One that comes back before it went has its zone: records at names that could not be listed are only there.
  if (row.problem === 'methodWaits') {
    const named = new Set(records.map(({ name }) => name))
    records.push(...(await listOwnRecords(trx, row.number)).filter(({ name }) => !named.has(name)))
  }
  requireTogether(records)
  await setOwnRecords(trx, row.number, records)
}

async function changeRecords(
  deps: DomainDeps,
  caller: Caller,
  { domain, ...typed }: RecordOrder,
  action: 'domain.addRecord' | 'domain.removeRecord',
  change: (kept: OwnRecord[], record: OwnRecord) => OwnRecord[],
): Promise<OwnRecord[]> {
  return await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(deps, trx, caller, domain)
    if (row.method !== 'ns' || !isProven(row.status)) refuse('ownRecordsElsewhere', { domain: row.name })
    const record = readRecord(row.name, typed)
    const kept = await listOwnRecords(trx, row.number)
    if (kept.some((one) => isSame(one, record)) === (action === 'domain.addRecord')) return kept
    const records = change(kept, record)
    requireTogether(records)
    await setOwnRecords(trx, row.number, records)
    if (isBound(row.status)) await renewZone(deps, trx, row)
    else await deps.dns.setZone(trx, await zoneOf(deps, trx, row, false))
    await recordAudit(trx, {
      ...sourceOf(caller),
      action,
      object: { kind: 'domain', id: String(row.number), owner: row.userid, name: row.name },
      before: null,
      after: { record: `${record.type} ${record.name}` },
    })
    await publishChange(trx, { account: row.userid, topic: 'domain', id: String(row.number) })
    return await listOwnRecords(trx, row.number)
  })
}

function readRecord(domain: string, typed: TypedRecord): OwnRecord {
  const record = parseOwnRecord(domain, typed)
  return isOwnRecordFault(record) ? refuse(record.fault, record.params) : record
}

function isSame(one: OwnRecord, other: OwnRecord): boolean {
  return one.type === other.type && one.name === other.name && one.value === other.value
}

/** An alias is alone at its name (RFC 1034, 3.6.2). */
function requireTogether(records: readonly OwnRecord[]): void {
  if (records.length > mostOwnRecords) refuse('ownRecordsFull', { most: mostOwnRecords })
  for (const alias of records.filter(({ type }) => type === 'CNAME'))
    if (records.some((one) => one !== alias && one.name === alias.name)) refuse('ownRecordAlias', { name: alias.name })
}
