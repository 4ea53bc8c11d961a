import type { User } from '@atoll/contract/accounts'
import { planNames } from '@atoll/contract/wire'
import type { Currency, Zone } from '@atoll/money'
import type { Db, Trx } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { type AccountRow, findAccount, findNamedAccount, lockAccount } from './account-store.ts'
import { avatarUrl } from './avatar-service.ts'

/** What an account may use. */
export interface Limits {
  canCreateCluster: boolean
  vCpuQuota: number
  /** What it pays in, and the zone of its months. */
  currency: Currency
  zone: Zone
}

/** vCPU that a plan includes, by its level. */
export type QuotaOfPlan = (level: number) => number

export interface UserDeps {
  quotaOfPlan: QuotaOfPlan
  config: { publicUrl: string }
}

/**
 * The account as clients see it, in one round trip; its name comes from the identity service, its picture is at
 * `publicUrl`. Refuses when there is none.
 */
export async function getUser({ quotaOfPlan, config }: UserDeps, db: Db, userid: string): Promise<User> {
  const account = await findNamedAccount(db, userid)
  if (!account) refuse('notFound', { object: 'account' })
  return {
    userid: account.userid,
    terminusName: account.terminus_name,
    avatar: avatarUrl(config.publicUrl, account.avatar),
    email: account.email,
    canCreateCluster: account.can_create_cluster,
    vCpuQuota: quotaOf(quotaOfPlan, account),
    planLevel: account.plan_level,
    planLevelStr: planNames[account.plan_level] ?? String(account.plan_level),
    accessLimit: account.access_limit,
    role: account.role,
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
    canCreateCluster: account.can_create_cluster,
    vCpuQuota: quotaOf(quotaOfPlan, account),
    currency: account.currency ?? 'usd',
    zone: account.zone ?? 'UTC',
  }
}

/** The larger of what the plan includes and what the operator granted. */
function quotaOf(quotaOfPlan: QuotaOfPlan, account: Pick<AccountRow, 'plan_level' | 'vcpu_quota'>): number {
  return Math.max(quotaOfPlan(account.plan_level), account.vcpu_quota ?? 0)
}
