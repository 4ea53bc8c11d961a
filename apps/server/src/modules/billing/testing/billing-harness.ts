import { type Currency, type Money, money } from '@atoll/money'
import { createScriptedWallet } from '@atoll/testkit'
import { createSealer, newId } from '../../../platform/crypto.ts'
import type { Database, Trx } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { getLimits, lockLimits, putOnPlan } from '../../accounts/account-service.ts'
import { lockAccount } from '../../accounts/stores/account-store.ts'
import { makeAccount } from '../../accounts/testing/make-account.ts'
import type { InstanceTerms } from '../../catalog/index.ts'
import { insertInstance } from '../../clusters/instances/instance-store.ts'
import { getBalance, type LedgerAccount, postToLedger } from '../../ledger/index.ts'
import { type Billing, type BillingDeps, createBilling, type MeterCuts, type Meters, withUsage } from '../index.ts'
import { insertGrant, promoSum } from '../records/documents/promo-store.ts'
import { sandboxCharging } from './sandbox-charging.ts'

export const usd = (minor: number): Money => money(minor, 'usd')

/** The terms of an instance that costs `minor` cents a month. */
export function instanceTerms(minor: number): InstanceTerms {
  const sizes = { cpuCoreCount: 2, memoryMiB: 2048, diskMiB: 20_480 }
  const title = { 'en-US': `bay ${minor}`, 'zh-CN': `bay ${minor}` }
  const sold = { title, amount: minor, currency: 'usd' as const, interval: 'month' as const }
  return { kind: 'instance', cloudName: 'bay', offering: `bay-${minor}`, ...sizes, ...sold }
}

/** Meters of somebody who used nothing. */
export const idleMeters: Meters = {
  read: async (_, { to }) => ({ used: 0n, unitLabel: 'GB', asOf: to, complete: true, parts: [], digest: '' }),
}

export const idleCuts: MeterCuts = { readCuts: async () => [] }

/** Billing with an account of its own, whose clusters are rows and nothing else. */
export interface Harness {
  userid: string
  did: string
  billing: Billing
  /** The dependencies that it was made from. */
  deps: BillingDeps
  /** Clusters that were woken, in order. */
  woken: string[]
  /** In a transaction that holds the account's lock. */
  transact<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  insertCluster(): Promise<string>
  insertInstance(clusterId: string): Promise<string>
  /** Does all that is due of the account by the clock, as the job does. */
  runDue(): Promise<void>
  /** A new card at the sandbox, the only one that is in use; gives its id. */
  keepCard(): Promise<string>
  /** Credit on the balance. */
  credit(minor: number): Promise<void>
  grant(minor: number, at: Date, expiresAt?: Date): Promise<void>
  balance(account: LedgerAccount): Promise<number>
  promo(at: Date): Promise<number>
}

/** `more` takes the place of what the harness makes itself: a clock, a card. */
export async function openHarness(database: Database, more: Partial<BillingDeps> = {}): Promise<Harness> {
  const { db, pool } = database
  const market = { currency: 'usd' as Currency, zone: 'UTC' as const }
  const clock = more.clock ?? { now: () => new Date() }
  const created_at = clock.now()
  const { userid, did } = await makeAccount(db, { created_at, ...market })
  const woken: string[] = []
  const deps = withUsage({
    db,
    clock,
    catalog: { current: () => ({ clouds: [], plans: [], coupons: [], versions: [], maxWorkers: 8 }) },
    accounts: {
      lockLimits: (trx, id) => lockLimits(() => 16, trx, id),
      getLimits: (db, id) => getLimits(() => 16, db, id),
      putOnPlan,
    },
    quotaOfPlan: () => 16,
    meters: idleMeters,
    cuts: idleCuts,
    correctionDays: 90,
    onCapSet: async () => undefined,
    onStorageTurn: async () => undefined,
    sealer: createSealer(Buffer.alloc(32, 7)),
    ...sandboxCharging(db, clock),
    findMethod: async () => null,
    findOwnCluster: async () => undefined,
    listClusterOwners: async () => [],
    listOwnInstances: async () => undefined,
    mail: { post: async () => 'ml_none' },
    wakeCluster: async (_, clusterId) => {
      woken.push(clusterId)
    },
    ...more,
  })
  const transact = <T>(work: (trx: Trx) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      await lockAccount(trx, userid)
      return await work(trx)
    })
  const billing = createBilling(deps)
  let instances = 0
  return {
    userid,
    did,
    billing,
    deps,
    woken,
    transact,
    async insertCluster() {
      const id = newId('cl')
      await pool.query(
        `insert into clusters (id, owner, name, cluster_type, host_label, status, desired, created_at, changed_at, checked_at)
          values ($1, $2, $1, 'SelfHost', $3, 'unpaid', 'running', now(), now(), now())`,
        [id, userid, id.slice(3)],
      )
      return id
    },
    async insertInstance(clusterId) {
      instances += 1
      const sizes = { offering: 'bay', cpu_core_count: 2, memory_mib: 2048, disk_mib: 20_480 }
      const place = { cluster_id: clusterId, owner: userid, role: 'worker' as const, ordinal: instances }
      return (await db.transaction().execute((trx) => insertInstance(trx, { ...place, ...sizes }, created_at))).id
    },
    async runDue() {
      const job = billing.jobs.find(({ name }) => name === 'billing.account')
      await job?.run({ userid }, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    },
    async keepCard() {
      const id = newId('pm')
      await pool.query('update payment_methods set is_default = false where userid = $1', [userid])
      await pool.query(
        `insert into payment_methods (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year,
          is_default, created_at) values ($1, $2, 'sandbox', 'c', $1, 'visa', '4242', 12, 2040, true, now())`,
        [id, userid],
      )
      return id
    },
    async credit(minor) {
      const about = { userid, at: created_at, document: 'credit', key: newId('gr') }
      await transact((trx) => postToLedger(trx, { ...about, kind: 'adjust', facts: { amount: usd(minor) } }))
    },
    async grant(minor, at, expiresAt) {
      const id = newId('gr')
      await transact(async (trx) => {
        await insertGrant(trx, { id, userid, amount: usd(minor), expiresAt: expiresAt ?? null, at })
        const facts = { amount: usd(minor) }
        await postToLedger(trx, { userid, at, kind: 'grant', facts, document: id, key: `${id} granted` })
      })
    },
    balance: async (account) => (await getBalance(db, userid, account, 'usd')).minor,
    promo: async (at) => (await promoSum(db, userid, 'usd', at).executeTakeFirstOrThrow()).sum,
  }
}
