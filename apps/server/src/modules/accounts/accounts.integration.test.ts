import { userTimeZone } from '@atoll/contract/accounts'
import { createScriptedWallet, createTestClock, until } from '@atoll/testkit'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createIdentity } from '../identity/index.ts'
import { changeTimeZone } from './account-service.ts'
import { findAddressee } from './addressee.ts'
import { type Accounts, createAccounts } from './index.ts'
import { testAccountsConfig } from './sign-in.fixture.ts'
import { accountOfDid, didOfAccount, findAccountOfDid, getDid, insertAccount } from './stores/account-store.ts'

const clock = createTestClock(new Date('2026-03-09T12:00:00Z'))
const database = useDatabase()
let accounts: Accounts
beforeAll(async () => {
  const { db } = database
  const sealer = createSealer(Buffer.alloc(32, 7))
  const mail = { post: async () => 'ml_none', findState: async () => undefined }
  const identity = createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } })
  accounts = createAccounts({
    db,
    clock,
    identity,
    sealer,
    mail,
    config: testAccountsConfig,
    quotaOfPlan: (level) => (level === 0 ? 10 : 32),
    isAccessLimited: async () => false,
  })
})

async function newAccount(canCreateCluster = true): Promise<string> {
  const { did } = createScriptedWallet()
  const made = { did, canCreateCluster, at: clock.now() }
  return (await database.db.transaction().execute((trx) => insertAccount(trx, made))).userid
}

describe('an account', () => {
  test('keeps its limits when it signs in again under a changed configuration', async () => {
    const userid = await newAccount()
    const again = { did: await getDid(database.db, userid), canCreateCluster: false, at: clock.now() }
    const made = await database.db.transaction().execute((trx) => insertAccount(trx, again))
    expect(made).toEqual({ userid, isNew: false })
    expect(await accounts.getLimits(database.db, userid)).toMatchObject({ canCreateCluster: true })
  })

  test.each([
    ['no', 0, null, 10],
    ['4', 0, 4, 10],
    ['40', 0, 40, 40],
    ['no', 2, null, 32],
    ['40', 2, 40, 40],
  ])('that was granted %s vCPU on plan %i may use the larger of both', async (_, plan_level, vcpu_quota, quota) => {
    const userid = await newAccount()
    await database.db.updateTable('accounts').set({ plan_level, vcpu_quota }).where('account_id', '=', userid).execute()
    expect(await accounts.getLimits(database.db, userid)).toMatchObject({ vCpuQuota: quota })
    expect(await accounts.getUser(database.db, userid)).toMatchObject({ vCpuQuota: quota })
  })

  test('has an id of its own, by which its DID is found and which its DID finds', async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    expect(one).toMatch(/^ac_[0-9a-f]{32}$/)
    expect(other).not.toBe(one)
    const did = await getDid(database.db, one)
    expect(did).toMatch(/^did:key:/)
    expect(await findAccountOfDid(database.db, did)).toBe(one)
    expect(await findAccountOfDid(database.db, createScriptedWallet().did)).toBeUndefined()
    const { rows } =
      await sql`select ${accountOfDid(sql.lit(did))} as id, ${didOfAccount(sql.lit(one))} as did`.execute(database.db)
    expect(rows).toEqual([{ id: one, did }])
  })

  test('is seen with all its fields', async () => {
    const userid = await newAccount(false)
    expect(await accounts.getUser(database.db, userid)).toEqual({
      userid: await getDid(database.db, userid),
      terminusName: null,
      avatar: null,
      email: null,
      canCreateCluster: false,
      vCpuQuota: 10,
      planLevel: 0,
      planLevelStr: 'Free',
      accessLimit: false,
      role: 'User',
      staff: null,
      isHeld: false,
      closesAt: null,
      timeZone: null,
    })
  })

  test('keeps the time zone that its console sends, in which its mails write deadlines', async () => {
    const userid = await newAccount()
    await database.db
      .updateTable('accounts')
      .set({ email: 'lena@example.com' })
      .where('account_id', '=', userid)
      .execute()
    expect(await findAddressee(database.db, userid)).toMatchObject({ timeZone: 'UTC' })
    for (const timeZone of ['Europe/Berlin', 'Asia/Kolkata', 'Asia/Kolkata']) {
      await changeTimeZone(database.db, userid, timeZone)
      expect(await accounts.getUser(database.db, userid)).toMatchObject({ timeZone })
      expect(await findAddressee(database.db, userid)).toMatchObject({ timeZone })
    }
    expect(userTimeZone.body.safeParse({ timeZone: 'Europe/Nowhere' }).error?.issues[0]).toMatchObject({
      path: ['timeZone'],
      message: 'timeZone',
    })
  })

  test('that does not exist is refused as such', async () => {
    const nobody = createScriptedWallet().did
    await expect(accounts.getUser(database.db, nobody)).rejects.toMatchObject({ key: 'notFound' })
    await expect(accounts.getLimits(database.db, nobody)).rejects.toMatchObject({ key: 'notFound' })
  })
})

test('two orders decided under the locked limits go one after the other', async () => {
  const userid = await newAccount()
  await sql`create table orders (vcpu integer not null)`.execute(database.db)
  const order = (meanwhile?: () => Promise<unknown>) =>
    database.db.transaction().execute(async (trx) => {
      const { vCpuQuota } = await accounts.lockLimits(trx, userid)
      const { rows } = await sql<{ used: number }>`select coalesce(sum(vcpu), 0)::int as used from orders`.execute(trx)
      await meanwhile?.()
      if ((rows[0]?.used ?? 0) + 6 > vCpuQuota) return 'refused'
      await sql`insert into orders (vcpu) values (6)`.execute(trx)
      return 'accepted'
    })
  const second = Promise.withResolvers<string>()
  const first = await order(async () => {
    order().then(second.resolve, second.reject)
    await until('the second order waits for the first', async () => {
      const waiting = sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await waiting.execute(database.db)).rows[0]?.n === 1
    })
  })
  expect([first, await second.promise]).toEqual(['accepted', 'refused'])
})

test('housekeeping removes what has expired, returns the count, and can run again', async () => {
  const userid = await newAccount()
  const at = clock.now()
  const long = new Date(at.getTime() - 3600_000)
  const weekAgo = new Date(at.getTime() - 7 * 24 * 3600_000)
  const hash = (digit: string) => digit.repeat(64)
  await database.db
    .insertInto('sessions')
    .values(
      [
        { id: 'ss_over', token_hash: hash('0'), expires_at: weekAgo },
        { id: 'ss_live', token_hash: hash('1'), expires_at: new Date(weekAgo.getTime() + 1) },
      ].map((row) => ({ ...row, userid, device_kind: 'program' as const, created_at: weekAgo, last_seen_at: weekAgo })),
    )
    .execute()
  await database.db
    .insertInto('sign_in_codes')
    .values([
      { secret_hash: hash('2'), userid, approved_at: long, changed_at: long },
      { secret_hash: hash('3'), userid, approved_at: at, changed_at: at },
      // Opened, and nobody came.
      { secret_hash: hash('4'), changed_at: long },
    ])
    .execute()
  const [sweep] = accounts.jobs
  for (const attempt of [1, 2]) {
    await sweep?.run({}, { log: silentLog, signal: new AbortController().signal, attempt })
  }
  const sessions = await database.db.selectFrom('sessions').select('id').where('userid', '=', userid).execute()
  const codes = await database.db
    .selectFrom('sign_in_codes')
    .select('secret_hash')
    .where('userid', '=', userid)
    .execute()
  expect(sessions).toEqual([{ id: 'ss_live' }])
  expect(codes).toEqual([{ secret_hash: hash('3') }])
})
