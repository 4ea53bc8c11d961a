/**
 * Items that need a person: one appears while its condition holds, disappears with it, and may be put off for a day.
 */
import { auditPage } from '@atoll/contract/audit'
import { attentionCount, attentionList, attentionSnooze } from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ids } from '../../authorization/call-bodies.fixture.ts'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { systemClock } from '../../platform/clock.ts'
import { saveProvenAt } from '../self-backup/index.ts'
import { saveTakenAt } from '../self-backup/taken-at.ts'
import { systemItems } from './overview/system-items.ts'

let app: TestApp
let support: Person
let ids: Ids
beforeAll(async () => {
  app = await openTestApp()
  await app.createPerson('User', 'operator')
  support = await app.createPerson('User', 'support')
  ids = await createIds(app.database, await app.createPerson())
  await run(sql`delete from abuse_reports`)
})
afterAll(() => app[Symbol.asyncDispose]())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.database.db)
/** As if nobody had looked for a while. */
const forgetLook = () => run(sql`update attention_looks set looked_at = looked_at - interval '1 minute'`)
async function looked() {
  await forgetLook()
  return (await support.api.ask(attentionList, {})).items
}
const kinds = async () => (await looked()).map(({ kind }) => kind)
const breakIt = () =>
  run(sql`update instances set status = 'errored', error = '{"key":"unexpected"}', changed_at = now() - interval '1 hour'
    where id = ${ids.instanceId}`)
const mend = () => run(sql`update instances set status = 'queuing', error = null where id = ${ids.instanceId}`)

describe('an item', () => {
  it('appears with its condition, is told to staff, and goes with it', async () => {
    const told = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from changes where topic = 'operator'`.execute(
          app.database.db,
        )
      ).rows[0]?.n
    expect(await looked()).toEqual([])
    await breakIt()
    const [item] = await looked()
    expect(item).toMatchObject({
      kind: 'stuckClusters',
      severity: 'critical',
      facts: { count: 1 },
      object: ids.clusterId,
    })
    expect(Date.parse(item?.since ?? '')).toBeLessThan(Date.now() - 3_500_000)
    expect(await told()).toBe(1)
    await looked()
    expect(await told()).toBe(1)
    await mend()
    expect(await looked()).toEqual([])
    expect(await told()).toBe(2)
  })

  it('is put off for a day, which is recorded, not counted, and forgotten with it', async () => {
    const item = { kind: 'stuckClusters', key: '' } as const
    expect(await support.api.send(attentionSnooze, item)).toMatchObject({ code: codes.conflict })
    await breakIt()
    await looked()
    expect(await support.api.ask(attentionCount, {})).toEqual({ count: 1 })
    await support.api.ask(attentionSnooze, item)
    expect(await support.api.ask(attentionCount, {})).toEqual({ count: 0 })
    expect((await looked())[0]?.snoozedUntil).not.toBeNull()
    expect((await support.api.ask(auditPage, { kind: 'support' })).records).toMatchObject([
      { action: 'support.snooze', after: { item: 'stuckClusters' } },
    ])
    await mend()
    await looked()
    await breakIt()
    expect((await looked())[0]?.snoozedUntil).toBeNull()
    await mend()
  })

  it('is found although the last look is in the future, of a clock that was set back', async () => {
    await run(sql`update attention_looks set looked_at = now() + interval '1 hour'`)
    await breakIt()
    expect((await support.api.ask(attentionList, {})).items.map(({ kind }) => kind)).toContain('stuckClusters')
    await mend()
    await looked()
  })

  it('stands for an operation past its deadline, and not for one that staff gave up', async () => {
    const late = (interval: string) =>
      run(sql`update operations set deadline_at = now() + ${interval}::interval where cluster_id = ${ids.clusterId}`)
    await late('-1 minute')
    expect(await kinds()).toEqual(['stuckClusters'])
    await late('1 hour')
    await run(sql`update instances set status = 'errored', error = '{"key":"staffGaveUp","params":{"said":"x"}}'
      where id = ${ids.instanceId}`)
    expect(await kinds()).toEqual([])
    await mend()
  })

  it('stands for a backup that failed twice in a row', async () => {
    const fail = (id: string, state: string) =>
      run(sql`insert into snapshots (id, backup_id, owner, kind, paths, state, created_at, ended_at)
        select ${id}, id, owner, 'Fully', '["/"]', ${state}, clock_timestamp() + interval '1 minute', now() from backups where id = ${ids.backupId}`)
    await run(sql`update backups set state = 'active', troubles = '{"run":["x"]}' where id = ${ids.backupId}`)
    await fail('sn_failing1', 'Failed')
    expect(await kinds()).toEqual([])
    await fail('sn_failing2', 'Failed')
    expect(await kinds()).toEqual(['failingBackups'])
    await run(sql`update backups set troubles = '{}' where id = ${ids.backupId}`)
    expect(await kinds()).toEqual([])
  })

  it('stands for card payments of a day that failed more often than one in five, and more than five times', async () => {
    const pay = (count: number, state: string) =>
      run(sql`insert into payments (id, userid, invoice_id, state, currency, promo_minor, balance_minor, rolled_minor,
          card_minor, collected_minor, method_id, gateway, decline_code, round, created_at, ended_at)
        select 'pay_' || ${state} || n || random(), userid, invoice_id, ${state}, currency, 0, 0, 0, 100, 0,
          ${ids.cardId}, 'sandbox', 'card_declined', n + 10, now(), now()
        from payments, generate_series(1, ${count}::int) n where id = ${ids.paymentId}`)
    await pay(5, 'declined')
    expect(await kinds()).toEqual([])
    await pay(1, 'declined')
    expect((await looked())[0]).toMatchObject({
      kind: 'failedPayments',
      severity: 'warning',
      facts: { count: 6, ended: 6, said: 'card_declined' },
    })
    await pay(24, 'succeeded')
    expect(await kinds()).toEqual([])
  })

  it('stands for an old backup of the deployment, one long not proven, a full disk and a silent name server', async () => {
    const sources = (selfBackup: { schedule: string } | undefined) =>
      systemItems({
        db: app.database.db,
        clock: systemClock,
        dns: { nameServersUp: { last: () => [{ server: 'ns1', isUp: false }] } },
        config: { selfBackup, smtpUrl: undefined, operatorEmail: undefined },
      })
    const found = async (schedule?: string) => {
      const all = sources(schedule === undefined ? undefined : { schedule })
      const items = await Promise.all(
        all.map(async ({ kind, find }) => (await find()).map((item) => ({ kind, ...item }))),
      )
      return items.flat().map(({ kind, severity }) => `${kind} ${severity}`)
    }
    expect(await found('0 * * * *')).toEqual(['silentNameServers critical'])
    await saveTakenAt(app.database.db, new Date(Date.now() - 4 * 3_600_000))
    await saveProvenAt(app.database.db, new Date(Date.now() - 31 * 24 * 3_600_000))
    expect(await found('0 * * * *')).toEqual(['oldBackup critical', 'oldDrill warning', 'silentNameServers critical'])
    expect(await found('0 */6 * * *')).toEqual(['oldDrill warning', 'silentNameServers critical'])
    await saveTakenAt(app.database.db, new Date(Date.now() - 6 * 24 * 3_600_000))
    for (const weekly of ['30 2 * * 0', '0 3 1,8,15,22 * *'])
      expect(await found(weekly)).toEqual(['oldDrill warning', 'silentNameServers critical'])
    expect(await found('30 2 * * 1-5')).toContain('oldBackup critical')
    expect(await found()).toEqual(['silentNameServers critical'])
    await run(sql`insert into heartbeats (process, number, version, host, roles, at, started_at, disk_total, disk_free)
      values ('p1', 1, '1', 'db-1', 'worker', now(), now(), 1000, 40), ('p2', 2, '1', 'db-2', 'api', now(), now(), 1000, 190)`)
    expect(await found()).toEqual(['fullDisk critical', 'fullDisk warning', 'silentNameServers critical'])
    await run(sql`delete from heartbeats where process in ('p1', 'p2')`)
  })

  it('stands for each kind of open money until that is seen to', async () => {
    const { accountId, paymentId } = ids
    await run(sql`insert into disputes (id, userid, payment_id, gateway, gateway_ref, currency, amount_minor,
        withdrawn_minor, lost_minor, lost_cash_minor, state, reason, due_by, moves, opened_at)
      values ('dp_open', ${accountId}, ${paymentId}, 'sandbox', 'dp_open', 'usd', 100, 0, 0, 0, 'open', 'fraudulent',
        now() + interval '2 days', 0, now())`)
    expect(await looked()).toMatchObject([{ kind: 'openDisputes', severity: 'critical', facts: { count: 1 } }])
    await run(sql`insert into dispute_answers (dispute_id, way, text, answered_by, answered_at)
      values ('dp_open', 'accept', '', ${accountId}, now())`)
    expect(await kinds()).toEqual([])

    await run(sql`insert into payments (id, userid, invoice_id, state, currency, promo_minor, balance_minor, rolled_minor,
        card_minor, collected_minor, method_id, gateway, round, created_at)
      select 'pay_unknown', userid, invoice_id, 'unknown', currency, 0, 0, 0, 100, 0, ${ids.cardId}, 'sandbox', 900,
        now() - interval '16 minutes' from payments where id = ${paymentId}`)
    expect(await looked()).toMatchObject([{ kind: 'unknownPayments', facts: { count: 1 } }])
    await run(sql`update payments set state = 'succeeded', ended_at = now()
      where id = 'pay_unknown'`)
    expect(await kinds()).toEqual([])

    const refund = (id: string, state: string) =>
      run(sql`insert into card_refunds (id, userid, payment_id, currency, amount_minor, state, created_at, ended_at)
        values (${id}, ${accountId}, ${paymentId}, 'usd', 100, ${state}, clock_timestamp(), clock_timestamp())`)
    await refund('rf_one', 'returned')
    expect(await looked()).toMatchObject([{ kind: 'failedRefunds', facts: { count: 1 } }])
    await refund('rf_two', 'done')
    expect(await kinds()).toEqual([])
    const waits = (time: string) =>
      run(sql`update card_refunds set state = 'pending', ended_at = null, created_at = now() - ${time}::interval
        where id = 'rf_two'`)
    await waits('25 hours')
    expect(await looked()).toMatchObject([{ kind: 'failedRefunds', facts: { count: 2 } }])
    await waits('1 hour')
    expect(await looked()).toMatchObject([{ kind: 'failedRefunds', facts: { count: 1 } }])
    await refund('rf_three', 'done')
    expect(await kinds()).toEqual([])

    await run(sql`insert into lost_captures (gateway, ref, payment_id, currency, amount_minor, taken_at, found_at)
      values ('sandbox', 'sb_lost', 'pay_gone', 'usd', 100, now(), now())`)
    expect(await looked()).toMatchObject([{ kind: 'lostCaptures', facts: { count: 1 } }])
    await run(sql`delete from lost_captures`)
    expect(await kinds()).toEqual([])

    const verify = (problem: string | null) =>
      run(sql`insert into books_verified (at, books, transactions, problem) values (now(), 1, 1, ${problem})`)
    await verify('invoices inv_1: no posting')
    expect(await looked()).toMatchObject([
      { kind: 'brokenBooks', severity: 'critical', facts: { problem: 'invoices inv_1: no posting' } },
    ])
    await verify(null)
    expect(await kinds()).toEqual([])
  })
})
