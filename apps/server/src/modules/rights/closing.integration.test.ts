/** Closing an account: what it stops, that it can be kept, and what has to be settled before. */
import { userClose, userClosing, userHolds, userInfo, userKeep } from '@atoll/contract/accounts'
import {
  customerCredit,
  customerErase,
  customerExport,
  customerKeep,
  customerSuspend,
  customersPage,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { createScriptedWallet, until } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { loadConfig } from '../../config.ts'
import { noteErased } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { loadSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { requireSameKey } from '../../platform/keys/index.ts'
import { lockOperated } from '../accounts/index.ts'
import { verifyAudit } from '../audit/index.ts'
import { findFrpLabel } from '../clusters/network/self-host-proxy.ts'
import { findRest } from '../identity/index.ts'
import { verifyLedger } from '../ledger/index.ts'
import { createOperator, type Operator } from '../staff/testing/operator.ts'
import { endNow, runJob, tracesOf } from './closing.fixture.ts'
import { eraseAgain, openArchive } from './index.ts'
import { findErasure, noteErasure } from './stores/erasure-store.ts'

let app: TestApp
let operator: Operator
let customer: Person
let ids: Ids
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
  customer = await app.createPerson()
  ids = await createIds(app.database, customer)
  const { db } = app.database
  await sql`update accounts set email = 'lena@example.com' where account_id = ${customer.userid}`.execute(db)
  await sql`update account_holds set released_at = now()`.execute(db)
  await sql`update snapshots set state = 'Canceled', ended_at = now() where owner = ${customer.userid}`.execute(db)
  await sql`update restores set state = 'Canceled', box = null, ended_at = now() where owner = ${customer.userid}`.execute(
    db,
  )
  await sql`update invoices set state = 'void' where userid = ${customer.userid} and state = 'open'`.execute(db)
})
afterAll(() => app[Symbol.asyncDispose]())

const run = (name: string, payload: object = {}) => runJob(app, name, payload)
const enforce = () => run('staff.holds')
const statusOf = async (clusterId: string) =>
  (await sql<{ status: string }>`select status from clusters where id = ${clusterId}`.execute(app.database.db)).rows[0]
    ?.status
const shownState = async () =>
  (await operator.api.ask(customersPage, { search: customer.did.slice(0, 50) })).customers.map(({ state }) => state)

it('stops what runs at once, lets nothing begin, and brings it back when the account is kept', async () => {
  const { db } = app.database
  await sql`update clusters set status = 'running', desired = 'running' where id = ${ids.clusterId}`.execute(db)
  await sql`update instances set status = 'running', desired = 'running' where cluster_id = ${ids.clusterId}`.execute(
    db,
  )
  const before = await customer.api.ask(userClosing, {})
  expect(before.closing).toBeNull()
  await sql`update sessions set created_at = now() - interval '16 minutes' where userid = ${customer.userid}`.execute(
    db,
  )
  expect((await customer.api.send(userClose, {})).code).toBe(codes.forbidden)
  await sql`update sessions set created_at = now() where userid = ${customer.userid}`.execute(db)
  const { until: end } = await customer.api.ask(userClose, {})
  expect(Date.parse(end) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
  expect((await customer.api.send(userClose, {})).message).toContain('closing already')
  expect(await customer.api.ask(userInfo, {})).toMatchObject({ closesAt: end, isHeld: false })
  expect(await customer.api.ask(userHolds, {})).toEqual([])
  expect((await customer.api.ask(userClosing, {})).closing).toMatchObject({ until: end, byStaff: false })
  expect(await shownState()).toEqual(['closing'])
  // A machine of its owner's own serves visitors until the end.
  await sql`update clusters set reverse_proxy = 'frp' where id = ${ids.selfHostId}`.execute(db)
  const { rows } = await sql<{ id: string; label: string }>`select instances.id, host_label as label from instances
    join clusters on clusters.id = cluster_id where cluster_id = ${ids.selfHostId}`.execute(db)
  const frps = { ...loadConfig({}, '/'), frps: { host: 'frp', port: 1, token: undefined, clusterUrl: String } }
  const served = () => findFrpLabel({ config: frps }, db, rows[0]?.id ?? '')
  expect(await served()).toBe(rows[0]?.label)

  await enforce()
  expect(await statusOf(ids.clusterId)).toBe('stopping')
  await sql`update clusters set status = 'stopped' where id = ${ids.clusterId}`.execute(db)
  await sql`update instances set status = 'stopped' where cluster_id = ${ids.clusterId}`.execute(db)

  // A suspension beside it neither hides nor ends it.
  const suspension = {
    accountId: customer.userid,
    scope: 'servers',
    why: 'abuse',
    text: 'Spam.',
    reason: 'spam was sent',
  }
  expect((await operator.act('suspend', customerSuspend, suspension)).code).toBe(codes.ok)
  expect(await shownState()).toEqual(['suspended'])
  expect(await served()).toBeUndefined()
  await sql`update account_holds set until = now() - interval '1 s' where reason = 'abuse'`.execute(db)
  await enforce()
  expect(await shownState()).toEqual(['closing'])
  expect(await statusOf(ids.clusterId)).toBe('stopped')

  await customer.api.ask(userKeep, {})
  expect((await customer.api.send(userKeep, {})).message).toContain('not closing')
  await enforce()
  expect(await statusOf(ids.clusterId)).toBe('starting')
  expect(await customer.api.ask(userInfo, {})).toMatchObject({ closesAt: null })
  expect(await shownState()).toEqual(['active'])
  const { rows: mails } = await sql`select id from mails where kind = 'account'`.execute(db)
  expect(mails).toHaveLength(2)
})

it('waits for what is owed or runs, and is not for staff', async () => {
  const { db } = app.database
  await sql`update snapshots set state = 'Pending', ended_at = null where owner = ${customer.userid}`.execute(db)
  expect((await customer.api.send(userClose, {})).message).toContain('backup or restore is running')
  await sql`update snapshots set state = 'Canceled', ended_at = now() where owner = ${customer.userid}`.execute(db)
  expect((await operator.api.send(userClose, {})).message).toContain('member of staff')
})

const config = () => ({ dataDir: app.dataDir, retentionYears: 10 })
const key = { secretKey: 'a key for this test alone, 32 characters', dataDir: '' }

it('is closed by staff for a request by mail, once nothing is left and an export was made, and kept by them', async () => {
  const person = await app.createPerson()
  const asked = { accountId: person.userid, reason: 'ticket 2288' }
  const erase = () => operator.act('erase', customerErase, asked)
  expect((await operator.act('erase', customerErase, { ...asked, accountId: customer.userid })).message).toContain(
    'still has clusters',
  )
  expect((await erase()).message).toContain('No export was made')
  const { exportId } = await operator.api.ask(customerExport, asked)
  await run('account.export', { id: exportId })
  // A later one that is not made yet, or failed, takes nothing from it.
  await operator.api.ask(customerExport, asked)
  expect((await erase()).code).toBe(codes.ok)
  expect((await person.api.ask(userClosing, {})).closing).toMatchObject({ byStaff: true })
  expect((await operator.act('keep', customerKeep, asked)).code).toBe(codes.ok)
  expect((await person.api.ask(userClosing, {})).closing).toBeNull()
})

it('goes on when it is kept in the moment of its end, and cannot be kept once that has begun', async () => {
  const { db } = app.database
  const person = await app.createPerson()
  await person.api.ask(userClose, {})
  await sql`update account_holds set until = now() - interval '1 minute' where account_id = ${person.userid}`.execute(
    db,
  )
  let ended: Promise<void> | undefined
  await db.transaction().execute(async (trx) => {
    await lockOperated(trx, person.userid)
    ended = run('account.closings')
    await until('the job to wait for the account', async () => {
      const waiting = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return waiting.rows[0]
    })
    await sql`update account_holds set released_at = now() where account_id = ${person.userid}`.execute(trx)
  })
  await ended
  expect(await findErasure(db, person.userid)).toBeUndefined()

  // The clock was put back since.
  await person.api.ask(userClose, {})
  await db.transaction().execute((trx) => noteErasure(trx, person.userid, { begun_at: new Date() }))
  expect((await person.api.send(userKeep, {})).message).toContain('not closing')
})

it('ends after 14 days: everything goes, the sealed archive alone knows who it was, and the books stay whole', async () => {
  const { db } = app.database
  await operator.act('credit', customerCredit, {
    accountId: customer.userid,
    amount: 1250,
    kind: 'cash',
    reason: 'a gift',
  })
  await sql`delete from agents where cluster_id in (select id from clusters where owner = ${customer.userid})`.execute(
    db,
  )
  const name = (await customer.api.ask(userInfo, {})).terminusName ?? ''
  // A name under a domain of one's own is released with the domain.
  const own = 'lena@lagoon.example'
  await sql`insert into name_history (name, did, released_at) values (${own}, ${customer.did}, now())`.execute(db)
  const repositories = await sql<{
    id: string
  }>`select repo_id as id from backups where owner = ${customer.userid}`.execute(db)
  for (const { id } of repositories.rows)
    await sql`insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at)
      values (${id}, 'config', 'config', 10, now(), now())`.execute(db)
  await sql`insert into vault_usage (owner, live_bytes) values (${customer.userid}, 100)
    on conflict (owner) do update set live_bytes = 100`.execute(db)
  await sql`update clusters set direct_address = '192.0.2.7', cloudflare_token = 'sealed'
    where owner = ${customer.userid}`.execute(db)
  await sql`update instances set host = '192.0.2.7' where owner = ${customer.userid}`.execute(db)
  await sql`insert into client_prefixes (prefix, owner, server_ref, created_at)
    values ('of-lena', ${customer.userid}, 'lena at home', now())`.execute(db)
  await sql`insert into sts_grants (hash, prefix, expires_at, created_at)
    values (${'a'.repeat(64)}, 'of-lena', now() + interval '1 hour', now())`.execute(db)
  expect(await tracesOf(app, [customer.did, name, 'lena@example.com'])).toContain('accounts.did')
  await customer.api.ask(userClose, {})
  await endNow(app, customer)

  expect(await tracesOf(app, [customer.did, name, 'lena@example.com'])).toEqual([])
  expect((await customer.api.send(userInfo, {})).code).toBe(codes.signedOut)
  const left = await sql<{ account: string; files: number; cash: number }>`select did as account,
      (select count(*)::int from vault_files where removing_at is null and repo_id in
        (select id from vault_repos where owner = ${customer.userid})) as files,
      (select coalesce(sum(balance_minor), 0)::int from ledger_balances
        where book = ${customer.userid} and account = 'cash') as cash
    from accounts where account_id = ${customer.userid}`.execute(db)
  expect(left.rows).toMatchObject([{ account: expect.stringMatching(/^customer-[0-9a-f]{12}$/), files: 0, cash: 0 }])
  expect(await tracesOf(app, ['192.0.2.7', 'lena at home'])).toEqual([])
  const { rows: survivors } = await sql`select prefix from sts_grants where prefix = 'of-lena'
    union all select id from client_backups where owner = ${customer.userid}
    union all select id from clusters where owner = ${customer.userid} and cloudflare_token is not null`.execute(db)
  expect(survivors).toEqual([])
  const sealer = await requireSameKey(db, loadSecretKeys(key))
  const { rows: boxes } = await sql<{ box: string }>`select box from erased_documents`.execute(db)
  expect(boxes.map(({ box }) => sealer.open('archive of erased accounts', box)).join('')).toContain(name)
  const opened = await openArchive(db, sealer, { accountId: customer.userid })
  expect(opened.filter(({ name: file }) => file.endsWith('.json'))).toHaveLength(boxes.length)
  expect(opened.map(({ bytes }) => Buffer.from(bytes).toString()).join('')).toContain(name)
  expect(
    opened
      .find(({ name: file }) => file.endsWith('.pdf'))
      ?.bytes.subarray(0, 4)
      .toString(),
  ).toBe('%PDF')
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: true })
  expect(await verifyLedger(db, { sealer })).toMatchObject({ whole: true })

  // The name is nobody's for a year.
  expect((await findRest(db, { name: own }))?.getTime()).toBeGreaterThan(Date.now() + 364 * 86_400_000)
  const other = createScriptedWallet()
  await other.register(app.origin)
  expect((await other.bindName(app.origin, name)).code).not.toBe(0)
})

it('has the files of its personal servers deleted even where it had nothing else', async () => {
  const { db } = app.database
  const person = await app.createPerson()
  await sql`insert into client_prefixes (prefix, owner, server_ref, created_at)
    values ('alone', ${person.userid}, 'at home', now())`.execute(db)
  await person.api.ask(userClose, {})
  await endNow(app, person)
  const { rows } = await sql`select ended_at from client_prefixes where prefix = 'alone'`.execute(db)
  expect(rows).toEqual([{ ended_at: expect.any(Date) }])
})

it('is erased again after a restore brought it back', async () => {
  const person = await app.createPerson()
  await createIds(app.database, person)
  const name = (await person.api.ask(userInfo, {})).terminusName ?? ''
  await noteErased(app.dataDir, { accountId: person.userid, at: new Date() })
  const sealer = await requireSameKey(app.database.db, loadSecretKeys(key))
  const deps = { db: app.database.db, clock: systemClock, sealer, config: config() }
  expect(await eraseAgain(deps)).toBe(1)
  expect(await eraseAgain(deps)).toBe(0)
  expect(await tracesOf(app, [person.did, name])).toEqual([])
  // Its clusters came back too, and a job ends them; their labels go with them.
  await endNow(app, person)
  const { rows } = await sql<{ label: string }>`select host_label as label from clusters
    where owner = ${person.userid}`.execute(app.database.db)
  expect(rows.every(({ label }) => label.startsWith('gone-'))).toBe(true)
})
