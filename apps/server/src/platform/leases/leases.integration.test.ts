import { until } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Trx } from '../db/index.ts'
import { useDatabase } from '../db/testing/use-database.ts'
import {
  deleteLeases,
  expireLeases,
  findLease,
  heldBy,
  reclaimLease,
  releaseLease,
  releaseLeases,
  renewLeases,
  takeLease,
} from './index.ts'

const database = useDatabase({ max: 12 })

beforeEach(async () => {
  await database.db.deleteFrom('leases').execute()
})

const kind = 'test'
const hourMs = 60 * 60_000
const inTrx = <T>(act: (trx: Trx) => Promise<T>): Promise<T> => database.db.transaction().execute(act)
const isHeld = async (name: string, holder: string) => {
  const row = await database.db.selectNoFrom(heldBy({ kind, name, holder }).as('held')).executeTakeFirstOrThrow()
  return row.held
}

const anyName = fc.constantFrom('reef', 'cove', 'bay')
const anyHolder = fc.constantFrom('a', 'b', 'c', 'd')
const anyStep = fc.oneof(
  fc.record({ act: fc.constantFrom('take', 'reclaim', 'release'), name: anyName, holder: anyHolder }),
  fc.record({ act: fc.constant('renew'), holders: fc.uniqueArray(anyHolder) }),
  fc.record({ act: fc.constantFrom('sweep', 'die') }),
  fc.record({ act: fc.constant('forget'), names: fc.uniqueArray(anyName) }),
)

test('whatever processes do, the newest taker alone holds a lease until it releases it, dies or is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
      await database.db.deleteFrom('leases').execute()
      const held = new Map<string, string>()
      // Each holding has a name of its own, as a connection has: its holder never holds two.
      const idOf = (name: string, holder: string) => `${name}-${holder}`
      for (const step of steps) {
        if ('name' in step) {
          const { act, name } = step
          const holder = idOf(name, step.holder)
          const lease = { kind, name, holder, place: `at ${holder}` }
          if (act === 'take') {
            expect(await inTrx((trx) => takeLease(trx, lease))).toBe(held.get(name) ?? null)
            held.set(name, holder)
          } else if (act === 'reclaim') {
            await reclaimLease(database.db, lease)
            if (!held.has(name)) held.set(name, holder)
          } else {
            const released = await inTrx((trx) => releaseLease(trx, lease))
            expect(released !== undefined).toBe(held.get(name) === holder)
            if (released) held.delete(name)
          }
        } else if ('holders' in step) {
          const asked = step.holders.flatMap((holder) => ['reef', 'cove', 'bay'].map((name) => idOf(name, holder)))
          const kept = [...held.values()].filter((holder) => asked.includes(holder))
          expect((await renewLeases(database.db, kind, asked)).sort()).toEqual(kept.sort())
        } else if ('names' in step) {
          await inTrx((trx) => deleteLeases(trx, kind, step.names))
          for (const name of step.names) held.delete(name)
        } else {
          // Everybody renewed within the hour; a limit below zero takes everybody for silent.
          const silentMs = step.act === 'die' ? -hourMs : hourMs
          const expired = await inTrx((trx) => expireLeases(trx, kind, { silentMs, limit: 100 }))
          const dead = step.act === 'die' ? [...held.keys()] : []
          expect(expired.map(({ name }) => name).sort()).toEqual(dead.sort())
          if (step.act === 'die') held.clear()
        }
        for (const name of ['reef', 'cove', 'bay']) {
          const holder = held.get(name)
          const found = await findLease(database.db, kind, name, hourMs)
          expect(found).toEqual(holder && { holder, place: `at ${holder}` })
          expect(await findLease(database.db, 'another kind', name)).toBeUndefined()
          for (const one of ['a', 'b', 'c', 'd'])
            expect(await isHeld(name, idOf(name, one))).toBe(holder === idOf(name, one))
        }
      }
    }),
    { numRuns: 25 },
  )
})

test('of many that take one lease at the same time one holds it, and each but the first replaced another', async () => {
  const takers = Array.from({ length: 10 }, (_, index) => `taker ${index}`)
  const replaced = await Promise.all(
    takers.map((holder) => inTrx((trx) => takeLease(trx, { kind, name: 'reef', holder }))),
  )
  const holder = (await findLease(database.db, kind, 'reef'))?.holder
  expect(takers).toContain(holder)
  expect(await renewLeases(database.db, kind, takers)).toEqual([holder])
  expect(replaced).not.toContain(holder)
})

test('a taker waits for a write of the holder that is under way, and one after it is not made', async () => {
  const lease = { kind, name: 'reef', holder: 'old' }
  await inTrx((trx) => takeLease(trx, lease))
  const order: string[] = []
  const mayEnd = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const writing = inTrx(async (trx) => {
    await trx.selectNoFrom(heldBy(lease).as('held')).execute()
    begun.resolve()
    await mayEnd.promise
    order.push('written')
  })
  await begun.promise
  const taking = inTrx((trx) => takeLease(trx, { ...lease, holder: 'new' })).then(() => order.push('taken'))
  mayEnd.resolve()
  await Promise.all([writing, taking])
  expect(order).toEqual(['written', 'taken'])
  expect(await isHeld('reef', 'old')).toBe(false)
})

test.each([
  ['renews', (holders: string[]) => renewLeases(database.db, kind, holders)],
  ['gives back', (holders: string[]) => inTrx((trx) => releaseLeases(trx, kind, holders))],
] as const)('whoever %s many waits for those in between, and neither is stopped for it', async (_, act) => {
  // Written in the opposite order: a process that takes them in the order of the rows begins with the last name.
  for (const name of ['reef', 'cove', 'bay'])
    await inTrx((trx) => takeLease(trx, { kind, name, holder: `old ${name}` }))
  let acting: Promise<unknown> = Promise.resolve()
  await inTrx(async (trx) => {
    await takeLease(trx, { kind, name: 'bay', holder: 'new bay' })
    acting = act(['old reef', 'old cove', 'old bay'])
    acting.catch(() => undefined) // awaited below
    await until('it waits', async () => {
      const { rows } = await database.pool.query('select from pg_locks where not granted')
      return rows.length > 0
    })
    await takeLease(trx, { kind, name: 'reef', holder: 'new reef' })
  })
  await acting
  expect([await isHeld('bay', 'new bay'), await isHeld('reef', 'new reef')]).toEqual([true, true])
})
