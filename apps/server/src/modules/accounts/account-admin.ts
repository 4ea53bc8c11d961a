/**
 * The operator's decisions about accounts (`npm run admin`): roles, quotas, permission to create clusters. Each is
 * recorded in the audit log and published to the account, in one transaction.
 */
import type { AuditAction, AuditFacts } from '@atoll/contract/audit'
import type { Role } from '@atoll/contract/wire'
import { didOfKeyId } from '@atoll/did'
import type { Currency, Zone } from '@atoll/money'
import { type SqlBool, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { drillOwnerFact, factOf } from '../../platform/facts/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { recordAudit } from '../audit/index.ts'
import { findDidOf, nameOfDid } from '../identity/index.ts'
import { accountNow } from './account-now.ts'
import { type AccountRow, findAccountOfDid, findDid, lockAccount, updateAccount } from './stores/account-store.ts'

/** An account as the operator sees it. */
export interface OperatedAccount {
  did: string
  name: string | null
  role: Role
  canCreateCluster: boolean
  /** The granted quota; null: the quota of its plan. */
  vCpuQuota: number | null
}

/** Everybody who has signed in, Admins first, then by name. */
export async function listOperatedAccounts(db: Db): Promise<OperatedAccount[]> {
  return await db
    .selectFrom('accounts')
    .select((from) => [
      'did',
      nameOfDid(from.ref('accounts.did')).as('name'),
      'role',
      'can_create_cluster as canCreateCluster',
      'vcpu_quota as vCpuQuota',
    ])
    .where((from) => sql<SqlBool>`${from.ref('account_id')} is distinct from ${factOf(drillOwnerFact)}`)
    .orderBy('role')
    .orderBy('name')
    .orderBy('did')
    .execute()
}

/** The account that `who` means: its id, a DID, or an ID `name@domain`. Throws what the operator can correct. */
export async function getUserid(db: Db, who: string): Promise<string> {
  if (/^ac_[0-9a-f]{32}$/.test(who)) {
    if ((await findDid(db, who)) === undefined) throw new OperatorError(`There is no account ${who}.`)
    return who
  }
  const userid = await findAccountOfDid(db, didOfKeyId(who) ?? (await getNamed(db, who)))
  if (userid === undefined)
    throw new OperatorError(`${who} has no account here yet: it is made when they sign in for the first time.`)
  return userid
}

async function getNamed(db: Db, who: string): Promise<string> {
  if (!/^[^@\s]+@[^@\s]+$/.test(who)) {
    throw new OperatorError(`"${who}" is neither a DID (did:key:z6Mk…) nor an ID (name@domain) nor an account (ac_…).`)
  }
  const named = await findDidOf(db, who.toLowerCase())
  if (named === null) throw new OperatorError(`No DID has the ID ${who}.`)
  return named
}

export async function setRole(db: Db, who: string, role: Role): Promise<void> {
  await operate(db, who, async (trx, account) => {
    await updateAccount(trx, account.account_id, { role })
    return {
      action: role === 'Admin' ? 'account.grantAdmin' : 'account.revokeAdmin',
      before: { role: account.role },
      after: { role },
    }
  })
}

/**
 * `vCpuQuota`: the sum of the cores of everything it may have, where that is more than its plan includes; null takes
 * the grant back. Less than it uses now stops only what is added.
 */
export async function setQuota(db: Db, who: string, vCpuQuota: number | null): Promise<void> {
  await operate(db, who, async (trx, account) => {
    const before = await grantQuota(trx, account.account_id, vCpuQuota)
    return { action: 'account.setQuota', before: { vCpuQuota: before }, after: { vCpuQuota } }
  })
}

/** The same in the transaction of who records and publishes it; gives what was granted before. */
export async function grantQuota(trx: Trx, userid: string, vCpuQuota: number | null): Promise<number | null> {
  const before = (await lockAccount(trx, userid))?.vcpu_quota ?? null
  await updateAccount(trx, userid, { vcpu_quota: vCpuQuota })
  return before
}

const zones = { usd: 'UTC', cny: 'UTC+8' } as const

/** Changes an account's currency and the zone of its months; the caller makes sure that nothing was booked yet. */
export async function correctCurrency(trx: Trx, userid: string, currency: Currency): Promise<Currency | null> {
  const before = (await lockAccount(trx, userid))?.currency ?? null
  await updateAccount(trx, userid, { currency, zone: zones[currency] })
  return before
}

export async function setMayCreate(db: Db, who: string, canCreateCluster: boolean): Promise<void> {
  await operate(db, who, async (trx, account) => {
    await updateAccount(trx, account.account_id, { can_create_cluster: canCreateCluster })
    return {
      action: canCreateCluster ? 'account.allowCreate' : 'account.forbidCreate',
      before: { canCreateCluster: account.can_create_cluster },
      after: { canCreateCluster },
    }
  })
}

/** Counts for each instance of it from its next start. */
export async function setMaySendMail(db: Db, who: string, may: boolean): Promise<void> {
  await operate(db, who, async (trx, account) => {
    await updateAccount(trx, account.account_id, { may_send_mail: may })
    return {
      action: may ? 'account.allowMail' : 'account.forbidMail',
      before: { maySendMail: account.may_send_mail },
      after: { maySendMail: may },
    }
  })
}

/** The account with its row locked, for what an operator does about its money; throws where there is none. */
export async function lockOperated(
  trx: Trx,
  userid: string,
): Promise<{ userid: string; currency: Currency; zone: Zone; now(clock: Clock): Date }> {
  const account = await lockAccount(trx, userid)
  if (!account) throw new OperatorError(`There is no account ${userid}.`)
  const { currency, zone, clock_offset_ms: clockOffsetMs } = account
  const market = { currency: currency ?? 'usd', zone: zone ?? 'UTC' } as const
  return { userid, ...market, now: (clock) => accountNow({ clockOffsetMs }, clock.now()) }
}

interface Done {
  action: Extract<AuditAction, `account.${string}`>
  before: AuditFacts
  after: AuditFacts
}

async function operate(db: Db, who: string, act: (trx: Trx, account: AccountRow) => Promise<Done>): Promise<void> {
  const userid = await getUserid(db, who)
  await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, userid)
    if (!account) throw new OperatorError(`${who} has no account here any more.`)
    const object = { kind: 'account' as const, id: userid, owner: userid }
    await recordAudit(trx, { actor: 'system', ip: null, object, ...(await act(trx, account)) })
    await publishChange(trx, { account: userid, topic: 'account', id: userid })
  })
}
