import { money } from '@atoll/money'
import { createScriptedWallet } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { beCareful, endCareful, raiseStartDoubts, settleDoubt } from '../../../../platform/careful/index.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { lockAccount } from '../../../accounts/stores/account-store.ts'
import { makeAccount } from '../../../accounts/testing/make-account.ts'
import { keepPrice } from '../../../catalog/index.ts'
import { closeInvoice, insertInvoice } from './invoice-store.ts'
import { insertPayment, movePaymentOn } from './payment-store.ts'
import { giveBackPromo, insertGrant, takePromo } from './promo-store.ts'
import { insertSubscription, insertSubscriptionItems, listItems, moveItemsOn } from './subscription-store.ts'

const database = useDatabase({ max: 12 })
let userid: string
let priceId: string

beforeAll(async () => {
  const title = { 'en-US': 'Basic', 'zh-CN': 'Basic' }
  const quotas = { vCpu: 32, storageGB: 200, backupGB: 100, trafficGB: 1000, cdnGB: 100, bandwidthMbit: 200, drills: 0 }
  const terms = { kind: 'plan', level: 2, quotas, overage: {}, title, amount: 900, currency: 'usd' } as const
  priceId = await transact((trx) => keepPrice(trx, { ...terms, interval: 'month' }, at))
})
beforeEach(async () => {
  userid = (await makeAccount(database.db, { created_at: at })).userid
})

const at = new Date('2027-01-31T12:00:00Z')
const end = new Date('2027-02-28T12:00:00Z')
const transact = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)

/** A plan's subscription with one item. */
async function subscribe(trx: Trx): Promise<string> {
  const [id, itemId] = [newId('sub'), newId('si')]
  const period = { anchor: at, period_start: at, period_end: end }
  await insertSubscription(trx, { id, userid, kind: 'plan', cluster_id: null, ...period, created_at: at })
  const item = { id: itemId, userid, subscription_id: id, instance_id: null, price_id: priceId, created_at: at }
  await insertSubscriptionItems(trx, [item])
  return itemId
}

/** An invoice over the item, of 9 dollars. */
async function issue(trx: Trx, itemId: string, { reason = 'order', minor = 900 } = {}) {
  const amounts = { gross_minor: minor, discount_minor: 0, total_minor: minor }
  const times = { issued_at: at, recorded_at: at, valid_until: null }
  const item = { item_id: itemId, product_type: 'Instance', revenue: 'plan', price_id: priceId, reason } as const
  const period = { period_start: at, period_end: end, proration: false }
  return await insertInvoice(
    trx,
    { id: newId('inv'), userid, kind: 'plan', currency: 'usd', coupon: null, ...amounts, ...times },
    [{ ...item, ...period, amount_minor: minor, discount_minor: 0, explain: '{}' }],
  )
}

const pay = (trx: Trx, invoiceId: string) =>
  insertPayment(trx, {
    id: newId('pay'),
    userid,
    invoice_id: invoiceId,
    currency: 'usd',
    method_id: null,
    gateway: null,
    promo_minor: 0,
    balance_minor: 900,
    rolled_minor: 0,
    card_minor: 0,
    collected_minor: 0,
    created_at: at,
    round: 0,
  })

describe('an invoice', () => {
  it('is numbered by account without gaps, whatever is rolled back and however many are issued at once', async () => {
    const itemId = await transact(subscribe)
    const numbers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const issued = transact(async (trx) => {
          await lockAccount(trx, userid)
          const { number } = await issue(trx, itemId, { reason: `n${n}` })
          if (n % 3 === 0) throw new Error('rolled back')
          return number
        })
        return await issued.catch(() => null)
      }),
    )
    const kept = numbers.filter((number) => number !== null).sort()
    const code = kept[0]?.slice(4, 9)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(kept).toEqual(Array.from({ length: 8 }, (_, n) => `ATL-${code}-${String(n + 1).padStart(4, '0')}`))
  })

  it('has a number of a series that is drawn by lot while numbers may have been given that are not known here', async () => {
    const itemId = await transact(subscribe)
    let issued = 0
    const next = async () => {
      issued += 1
      const { number } = await transact((trx) => issue(trx, itemId, { reason: `n${issued}` }))
      return number.slice('ATL-7K3QD'.length)
    }
    expect([await next(), await next()]).toEqual(['-0001', '-0002'])
    // After a start, until the gateway has said that it took nothing which is not known: an order waits for nothing.
    await raiseStartDoubts(database.db, ['gateway'], at)
    const drawn = [await next(), await next()]
    await settleDoubt(database.db, 'gateway')
    expect(await next()).toBe('-0003')
    await beCareful(database.db, 'it was restored', at)
    drawn.push(await next())
    await transact((trx) => endCareful(trx, at))
    expect([await next(), await next()]).toEqual(['-R1-0001', '-R1-0002'])
    expect(drawn).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^-R\d{9}-0001$/)))
    expect(new Set(drawn).size).toBe(3)
    await sql('delete from resumptions')
  })

  it('stays as it was issued: only how it fares changes', async () => {
    const invoice = await transact(async (trx) => await issue(trx, await subscribe(trx)))
    for (const change of [
      `total_minor = 0, gross_minor = 0`,
      `number = 'ATL-1'`,
      `valid_until = now()`,
      `userid = 'me'`,
    ]) {
      await expect(sql(`update invoices set ${change} where id = $1`, [invoice.id])).rejects.toThrow('append-only')
    }
    for (const statement of [
      'delete from invoices',
      'truncate invoices cascade',
      'update invoice_items set line = line',
    ]) {
      await expect(sql(statement)).rejects.toThrow('append-only')
    }
    await transact((trx) => closeInvoice(trx, invoice, 'voided', { at }))
    await expect(transact((trx) => closeInvoice(trx, { ...invoice, state: 'void' }, 'paid', { at }))).rejects.toThrow(
      'What is void cannot be paid',
    )
  })

  it('charges one time once for each reason, and has one payment under way', async () => {
    const itemId = await transact(subscribe)
    const invoice = await transact((trx) => issue(trx, itemId))
    await expect(transact((trx) => issue(trx, itemId))).rejects.toThrow('invoice_items_once_key')
    const first = await transact((trx) => pay(trx, invoice.id))
    await expect(transact((trx) => pay(trx, invoice.id))).rejects.toThrow('payments_open_key')
    await transact((trx) => movePaymentOn(trx, first, 'canceled', { at }))
    const second = await transact((trx) => pay(trx, invoice.id))
    await transact((trx) => movePaymentOn(trx, second, 'succeeded', { at }))
    const third = await transact((trx) => pay(trx, invoice.id))
    await expect(transact((trx) => movePaymentOn(trx, third, 'succeeded', { at }))).rejects.toThrow(
      'payments_succeeded_key',
    )
  })
})

test('a subscription goes the way of its items, and ends with the last', async () => {
  const itemId = await transact(subscribe)
  const state = async () => {
    const { rows } = await sql('select state, ended_at from subscriptions where userid = $1', [userid])
    return rows[0]
  }
  const move = (event: 'paid' | 'overdue' | 'settled' | 'ended') =>
    transact(async (trx) => await moveItemsOn(trx, await listItems(trx, { ids: [itemId] }), event, end))
  expect(await state()).toEqual({ state: 'unpaid', ended_at: null })
  await move('paid')
  await move('overdue')
  expect(await state()).toEqual({ state: 'past_due', ended_at: null })
  await move('settled')
  expect(await state()).toEqual({ state: 'active', ended_at: null })
  await move('ended')
  expect(await state()).toEqual({ state: 'ended', ended_at: end })
  await expect(move('paid')).rejects.toThrow('What is ended cannot be paid')
})

test('promotional credit is taken by expiry and given back whence it came, to the cent', async () => {
  const grants = fc.array(
    fc.record({ minor: fc.integer({ min: 1, max: 500 }), days: fc.option(fc.integer({ min: 1, max: 60 })) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(grants, fc.nat(100), fc.nat(100), async (given, takes, gives) => {
      await sql('delete from promo_uses')
      await sql('delete from promo_grants')
      await sql('delete from payments')
      const usd = (minor: number) => money(minor, 'usd')
      await transact(async (trx) => {
        for (const { minor, days } of given) {
          const expiresAt = days === null ? null : new Date(at.getTime() + days * 86_400_000)
          await insertGrant(trx, { id: newId('gr'), userid, amount: usd(minor), expiresAt, at })
        }
        const { id: paymentId } = await pay(trx, (await issue(trx, await subscribe(trx))).id)
        const all = given.reduce((sum, { minor }) => sum + minor, 0)
        const taken = Math.floor((all * takes) / 100)
        const back = Math.floor((taken * gives) / 100)
        await takePromo(trx, { userid, paymentId, at }, usd(taken))
        await giveBackPromo(trx, paymentId, usd(back))
        const rows = await trx.selectFrom('promo_grants').selectAll().execute()
        expect(rows.reduce((sum, row) => sum + row.left_minor, 0)).toBe(all - taken + back)
        // Grants that expire earlier are used up before later ones are touched.
        const byExpiry = rows.toSorted(
          (a, b) => (a.expires_at?.getTime() ?? Infinity) - (b.expires_at?.getTime() ?? Infinity),
        )
        const touched = byExpiry.findLastIndex((row) => row.left_minor < row.amount_minor)
        const expiryOf = (index: number) => byExpiry[index]?.expires_at?.getTime()
        for (let index = 0; index < touched; index += 1) {
          if (expiryOf(index) !== expiryOf(touched)) expect(byExpiry[index]?.left_minor).toBe(0)
        }
        await expect(takePromo(trx, { userid, paymentId: 'pay_no', at }, usd(all + 1))).rejects.toThrow()
        throw new Error('undone')
      }).catch((error: unknown) => {
        if (!(error instanceof Error && error.message === 'undone')) throw error
      })
    }),
    { numRuns: 15 },
  )
})
