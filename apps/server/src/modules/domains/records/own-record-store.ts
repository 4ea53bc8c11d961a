/** The owner's own records of a domain, which its zone has beside its hosts. They end with the claim. */
import type { OwnRecord } from '@atoll/contract/domains'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface DomainRecordsTable extends OwnRecord {
  /** The number of its domain. */
  domain: number
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    domain_records: DomainRecordsTable
  }
}

/** By name, type and value. */
export async function listOwnRecords(db: Db | Trx, domain: number): Promise<OwnRecord[]> {
  return await db
    .selectFrom('domain_records')
    .select(['type', 'name', 'value'])
    .where('domain', '=', domain)
    .orderBy('name')
    .orderBy('type')
    .orderBy('value')
    .execute()
}

/** Has the domain have these and no others. */
export async function setOwnRecords(trx: Trx, domain: number, records: readonly OwnRecord[]): Promise<void> {
  await trx.deleteFrom('domain_records').where('domain', '=', domain).execute()
  if (records.length === 0) return
  await trx
    .insertInto('domain_records')
    .values(records.map(({ type, name, value }) => ({ domain, type, name, value })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
