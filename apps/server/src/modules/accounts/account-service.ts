import { type OptionalMail, optionalMails, type User, type userMails } from '@atoll/contract/accounts'
import { type CallData, planNames } from '@atoll/contract/wire'
import type { Currency, Zone } from '@atoll/money'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { avatarUrl } from './avatar/avatar-service.ts'
import {
  type AccountPlan,
  type AccountRow,
  findAccount,
  findNamedAccount,
  lockAccount,
  setPlan,
  setTimeZone,
  switchMail,
} from './stores/account-store.ts'

/** The limits of an account's use. */
export interface Limits {
  /** The account's id in logs. */
  accountId: string
  canCreateCluster: boolean
  vCpuQuota: number
  /** The currency it pays in, and the time zone of its months. */
  currency: Currency
  zone: Zone
  /** How far its clock is ahead of the wall's: see `accountNow`. */
  clockOffsetMs: number
  createdAt: Date
}

/** vCPU that a plan includes, by its level. */
export type QuotaOfPlan = (level: number) => number

export interface UserDeps {
  quotaOfPlan: QuotaOfPlan
  /** Whether money keeps the account from creating: a bill that is past due. */
  isAccessLimited(db: Db, userid: string): Promise<boolean>
  config: { publicUrl: string }
}

/**
 * The account as clients see it; its name comes from the identity service, its picture is at
 * `publicUrl`. Refuses when there is none.
 */
export async function getUser(
  { quotaOfPlan, isAccessLimited, config }: UserDeps,
  db: Db,
  userid: string,
): Promise<User> {
  const account = await findNamedAccount(db, userid)
  if (!account) refuse('notFound', { object: 'account' })
  return {
    userid: account.did,
    terminusName: account.terminus_name,
    avatar: avatarUrl(config.publicUrl, account.avatar),
    email: account.email,
    canCreateCluster: account.can_create_cluster,
    vCpuQuota: quotaOf(quotaOfPlan, account),
    planLevel: account.plan_level,
    planLevelStr: planNames[account.plan_level] ?? String(account.plan_level),
    accessLimit: await isAccessLimited(db, userid),
    role: account.role,
    staff: account.staff,
    isHeld: account.is_held || account.asked_why !== null,
    closesAt: account.closes_at?.toISOString() ?? null,
    timeZone: account.time_zone,
  }
}

/** The limits as they are now; to decide by them, take `lockLimits`. */
export async function getLimits(quotaOfPlan: QuotaOfPlan, db: Db, userid: string): Promise<Limits> {
  return toLimits(quotaOfPlan, await findAccount(db, userid))
}

/**
 * The limits, with the account locked until the transaction ends: two orders at the same instant are decided one after
 * the other, and the second sees what the first used.
 */
export async function lockLimits(quotaOfPlan: QuotaOfPlan, trx: Trx, userid: string): Promise<Limits> {
  return toLimits(quotaOfPlan, await lockAccount(trx, userid))
}

function toLimits(quotaOfPlan: QuotaOfPlan, account: AccountRow | undefined): Limits {
  if (!account) refuse('notFound', { object: 'account' })
  return {
    accountId: account.account_id,
    canCreateCluster: account.can_create_cluster,
    vCpuQuota: quotaOf(quotaOfPlan, account),
    currency: account.currency ?? 'usd',
    zone: account.zone ?? 'UTC',
    clockOffsetMs: account.clock_offset_ms,
    createdAt: account.created_at,
  }
}

/** Sets the zone, an IANA name, that the account reads deadlines in, and publishes the change. Safe to repeat. */
export async function changeTimeZone(db: Db, userid: string, timeZone: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await setTimeZone(trx, userid, timeZone)
    await publishChange(trx, { account: userid, topic: 'account', id: userid })
  })
}

/** The optional kinds of mail, and which of them the account gets. */
export async function listMailChoices(db: Db, userid: string): Promise<CallData<typeof userMails>> {
  const { mails_off: off } = (await findAccount(db, userid)) ?? refuse('notFound', { object: 'account' })
  return { mails: optionalMails.map((mail) => ({ mail, isOn: !off.includes(mail) })) }
}

/** Switches an optional kind of mail on or off. Safe to repeat; does nothing for an account that is gone. */
export async function changeMailChoice(
  db: Db,
  choice: { userid: string; mail: OptionalMail; isOn: boolean },
): Promise<void> {
  const { userid } = choice
  await db.transaction().execute(async (trx) => {
    if (await switchMail(trx, choice)) await publishChange(trx, { account: userid, topic: 'account', id: userid })
  })
}

/** Puts an account on a plan and publishes the change. Under its lock. */
export async function putOnPlan(trx: Trx, userid: string, plan: AccountPlan): Promise<void> {
  await setPlan(trx, userid, plan)
  await publishChange(trx, { account: userid, topic: 'account', id: userid })
}

/** The larger of what the plan includes and what the operator granted. */
function quotaOf(
  quotaOfPlan: QuotaOfPlan,
  account: Pick<AccountRow, 'plan_level' | 'plan_vcpu' | 'vcpu_quota'>,
): number {
  return Math.max(account.plan_vcpu ?? quotaOfPlan(account.plan_level), account.vcpu_quota ?? 0)
}
