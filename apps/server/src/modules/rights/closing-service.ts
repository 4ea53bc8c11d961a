/**
 * Closing an account. It is held like a suspended one from the moment it is asked for, by the same rows: servers stop,
 * nothing is ordered or renewed. Kept within 14 days, the hold ends and what it stopped starts again; else a job ends
 * the account.
 */
import type { AccountClosing } from '@atoll/contract/accounts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { refuse } from '../../platform/refusal.ts'
import {
  findAddressee,
  findName,
  findStaffRole,
  type HoldRow,
  holdsJob,
  insertHold,
  listHolds,
  lockOperated,
  updateHold,
} from '../accounts/index.ts'
import { type AuditSource, recordAudit } from '../audit/index.ts'
import { isBackupBusy, listLastCompleted } from '../backups/index.ts'
import { type Billing, refuseUnsettled } from '../billing/index.ts'
import { listClusterFigures } from '../clusters/index.ts'
import { listDomains } from '../domains/index.ts'
import { accountMail, type Mail } from '../mail/index.ts'
import { closingDates } from './closing-dates.ts'
import { findErasure, forgetErasure } from './stores/erasure-store.ts'

export interface ClosingDeps {
  db: Db
  clock: Clock
  mail: Pick<Mail, 'post'>
  billing: Pick<Billing, 'quoteClosing'>
  config: { retentionYears: number }
}

/** Everything that closing the account now destroys, keeps and gives back. */
export async function describeClosing(
  { db, clock, billing, config }: ClosingDeps,
  userid: string,
): Promise<AccountClosing> {
  const hold = await findClosing(db, userid)
  const since = hold?.held_at ?? clock.now()
  const { until, nameUntil, invoicesUntil } = closingDates(since, config.retentionYears)
  const clusters = await listClusterFigures(db, userid)
  const named = (type: string) => clusters.flatMap(({ clusterType, name }) => (clusterType === type ? [name] : []))
  const backups = await listLastCompleted(db, userid)
  const newest = backups.map(({ completedAt }) => completedAt?.getTime() ?? 0)
  return {
    closing: hold && {
      since: since.toISOString(),
      until: until.toISOString(),
      byStaff: hold.held_by !== userid,
    },
    until: until.toISOString(),
    cloud: named('Cloud'),
    selfHosted: named('SelfHost'),
    domains: (await listDomains(db, userid)).map(({ name }) => name),
    backups: {
      count: backups.length,
      newestAt: newest.some((at) => at > 0) ? new Date(Math.max(...newest)).toISOString() : null,
    },
    name: await findName(db, userid),
    nameUntil: nameUntil.toISOString(),
    invoicesUntil: invoicesUntil.toISOString(),
    retentionYears: config.retentionYears,
    money: await billing.quoteClosing(userid, { clusterIds: clusters.map(({ clusterId }) => clusterId), since }),
  }
}

/** The closing of an account that has not ended; null: there is none. */
export async function findClosing(db: Db, userid: string): Promise<HoldRow | null> {
  return (await listHolds(db, userid)).find(({ reason }) => reason === 'closing') ?? null
}

/** The person who asks, and facts that staff note. */
export interface ClosingAsked {
  source: Exclude<AuditSource['actor'], 'system'>
  ip: string | null
  facts?: Record<string, string>
}

/** Closes an account from now on; returns when it ends. */
export async function beginClosing(
  { clock, mail, config }: Pick<ClosingDeps, 'clock' | 'mail' | 'config'>,
  trx: Trx,
  userid: string,
  { source: actor, ip, facts = {} }: ClosingAsked,
): Promise<Date> {
  // An order that is made meanwhile comes before it or is refused.
  await lockOperated(trx, userid)
  if (await findClosing(trx, userid)) refuse('closingAlready')
  if (await findStaffRole(trx, userid)) refuse('closeStaff')
  await refuseUnsettled(trx, userid)
  if (await isBackupBusy(trx, userid)) refuse('closeBusy')
  const now = clock.now()
  const { until } = closingDates(now, config.retentionYears)
  await insertHold(trx, {
    id: newId('hd'),
    account_id: userid,
    cluster_id: null,
    scope: 'servers',
    reason: 'closing',
    text: '',
    answer_by: null,
    until,
    held_by: actor.userid,
    held_at: now,
  })
  const after = { until: until.toISOString(), ...facts }
  const of = { id: userid, owner: userid }
  if (actor.userid === userid)
    await recordAudit(trx, { actor, ip, action: 'account.close', object: { kind: 'account', ...of }, after })
  else await recordAudit(trx, { actor, ip, action: 'support.erase', object: { kind: 'support', ...of }, after })
  await tellOwner({ mail }, trx, userid, { about: 'closing', until, usableUntil: until })
  await tellPages(trx, userid)
  return until
}

/** Ends the closing of an account: it goes on, and what its closing stopped starts. */
export async function keepAccount(
  { clock, mail }: Pick<ClosingDeps, 'clock' | 'mail'>,
  trx: Trx,
  userid: string,
  { source: actor, ip, facts = {} }: ClosingAsked,
): Promise<void> {
  await lockOperated(trx, userid)
  const now = clock.now()
  const hold = await findClosing(trx, userid)
  // One whose time is over ends, or has begun to, wherever the clock was put since: a part of it may be gone.
  const begunAt = (await findErasure(trx, userid))?.begun_at
  if (!hold?.until || hold.until <= now || begunAt) return refuse('notClosing')
  await updateHold(trx, hold.id, { released_at: now, released_by: actor.userid })
  await forgetErasure(trx, userid)
  const of = { id: userid, owner: userid }
  if (actor.userid === userid)
    await recordAudit(trx, { actor, ip, action: 'account.keep', object: { kind: 'account', ...of }, after: facts })
  else await recordAudit(trx, { actor, ip, action: 'support.keep', object: { kind: 'support', ...of }, after: facts })
  await tellOwner({ mail }, trx, userid, { about: 'closingKept', until: hold.until, usableUntil: hold.until })
  await tellPages(trx, userid)
}

/** A mail about the closing, to an account that has an address. */
export async function tellOwner(
  { mail }: Pick<ClosingDeps, 'mail'>,
  trx: Trx,
  userid: string,
  {
    about,
    until,
    usableUntil,
  }: { about: 'closing' | 'closingSoon' | 'closingKept' | 'closed'; until: Date; usableUntil: Date },
): Promise<void> {
  const addressee = await findAddressee(trx, userid)
  if (!addressee) return
  const { email: to, name: account, locale, timeZone } = addressee
  const params = { about, account, until: until.toISOString(), timeZone }
  await mail.post(trx, { kind: accountMail, userid, to, locale, usableUntil, params })
}

/** Its pages, the edges and the job that stops and starts what is held hear of it. */
async function tellPages(trx: Trx, userid: string): Promise<void> {
  await publishChange(trx, { account: userid, topic: 'account', id: userid })
  for (const { clusterId } of await listClusterFigures(trx, userid))
    await publishChange(trx, { account: userid, topic: 'cluster', id: clusterId })
  await enqueueJob(trx, holdsJob, {}, { key: holdsJob })
}
