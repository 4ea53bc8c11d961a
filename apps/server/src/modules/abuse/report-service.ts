import type { AbuseReport, AddressHolder, abuseClose, abuseReport, StaffPerson } from '@atoll/contract/staff'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../platform/caller.ts'
import { newId } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { listPeople } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { listClusterNames } from '../clusters/index.ts'
import { listHolders } from './address-store.ts'
import { valuesOf } from './asked-value.ts'
import { closeReport, insertReport, lockReport, type ReportRow } from './report-store.ts'

/** The clusters that had it then; the nearest name before those above it. */
export async function findHolders(db: Db, { what, at }: { what: string; at: Date | undefined }) {
  const values = valuesOf(what)
  const rows = values.length === 0 ? [] : await listHolders(db, values, at)
  return rows.sort((a, b) => values.indexOf(a.value) - values.indexOf(b.value))
}

export async function describeHolders(db: Db, rows: Awaited<ReturnType<typeof findHolders>>): Promise<AddressHolder[]> {
  const clusterIds = rows.map(({ cluster_id }) => cluster_id)
  const [names, personOf] = await Promise.all([listClusterNames(db, clusterIds), findPeople(db, rows)])
  return rows.map(({ cluster_id: clusterId, account_id, value, from_at, until_at }) => ({
    clusterId,
    value,
    from: from_at.toISOString(),
    until: until_at?.toISOString() ?? null,
    clusterName: names.find((one) => one.clusterId === clusterId)?.clusterName ?? clusterId,
    person: personOf(account_id),
  }))
}

/** The customers of these rows; one whose account was erased since is named by its id alone. */
async function findPeople(
  db: Db,
  rows: readonly { account_id: string | null }[],
): Promise<(accountId: string) => StaffPerson> {
  const people = await listPeople(
    db,
    rows.flatMap(({ account_id: id }) => (id === null ? [] : [id])),
  )
  return (accountId) => people.get(accountId) ?? { accountId, userid: '', terminusName: null }
}

export async function describeReports(db: Db, rows: readonly ReportRow[]): Promise<AbuseReport[]> {
  const personOf = await findPeople(db, rows)
  return rows.map(({ closed_at, outcome, ...row }) => ({
    reportId: row.id,
    what: row.what,
    reporter: row.reporter,
    text: row.text,
    clusterId: row.cluster_id,
    seenAt: row.seen_at.toISOString(),
    writtenAt: row.written_at.toISOString(),
    person: row.account_id === null ? null : personOf(row.account_id),
    closed: closed_at && outcome ? { at: closed_at.toISOString(), outcome, text: row.closing ?? '' } : null,
  }))
}

interface By {
  caller: Caller
  now: Date
}

/** Writes a report down, with the customer who had the host or address when it was seen. */
export async function writeReport(
  trx: Trx,
  { what, seenAt, reporter, text }: CallBody<typeof abuseReport>,
  { caller, now }: By,
): Promise<{ reportId: string; person: StaffPerson | null }> {
  const [holder] = await findHolders(trx, { what, at: new Date(seenAt) })
  const id = newId('ab')
  await insertReport(trx, {
    id,
    what,
    reporter,
    text,
    seen_at: new Date(seenAt),
    written_by: caller.userid,
    written_at: now,
    cluster_id: holder?.cluster_id ?? null,
    account_id: holder?.account_id ?? null,
  })
  await record(trx, 'support.report', { caller, facts: { what } })
  return { reportId: id, person: holder ? (await findPeople(trx, [holder]))(holder.account_id) : null }
}

export async function endReport(
  trx: Trx,
  { reportId, outcome, text }: CallBody<typeof abuseClose>,
  { caller, now }: By,
): Promise<void> {
  const row = (await lockReport(trx, reportId)) ?? refuse('notFound', { object: 'abuseReport' })
  if (row.closed_at) refuse('reportClosed')
  await closeReport(trx, reportId, { closed_by: caller.userid, closed_at: now, outcome, closing: text })
  await record(trx, 'support.reportClose', { caller, facts: { what: row.what, outcome } })
}

/** In the staff member's own activity: the customer reads of a suspension, not of who reported what. */
async function record(
  trx: Trx,
  action: 'support.report' | 'support.reportClose',
  { caller, facts }: { caller: Caller; facts: Record<string, string> },
): Promise<void> {
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    after: facts,
    object: { kind: 'support', id: caller.userid, owner: caller.userid },
  })
  await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
}
