import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { assumeCards, type Cards } from '../due/assume-cards.ts'
import { instanceTerms, openHarness } from '../testing/billing-harness.ts'

const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
const database = useDatabase()

test('a cluster is stopped and given up for an invoice that it stands on, and no other is', async () => {
  const card = { id: '', gateway: 'sandbox' }
  const harness = await openHarness(database, { clock, findMethod: async () => card })
  card.id = await harness.keepCard()
  const { userid, billing, deps } = harness
  const charge = (cards: Cards) => harness.transact((trx) => assumeCards(deps, trx, { userid, at: clock.now(), cards }))
  async function order() {
    const clusterId = await harness.insertCluster()
    const instanceId = await harness.insertInstance(clusterId)
    const instances = [{ instanceId, terms: instanceTerms(1440) }]
    const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: card }
    await harness.transact((trx) => billing.order(trx, facts))
    await charge('pay')
    return { standing: async () => (await billing.standings(database.db, clusterId)).of(instanceId) }
  }
  async function runAt(day: string, cards: Cards) {
    clock.set(new Date(`2027-${day}T12:00:00Z`))
    await harness.runDue()
    await charge(cards)
    // Items that waited for the card's answer run again a minute later.
    clock.advance(61_000)
    await harness.runDue()
  }
  const owed = await order()
  clock.set(new Date('2027-02-20T12:00:00Z'))
  // Paid for until the day after the verdict on the other.
  const paid = await order()
  const standings = () => Promise.all([owed.standing(), paid.standing()])
  for (const day of ['02-28', '03-01', '03-03']) await runAt(day, 'decline')
  expect(await standings()).toEqual(['clear', 'clear'])
  await runAt('03-05', 'decline')
  expect(await standings()).toEqual(['overdue', 'clear'])
  await runAt('03-19', 'decline')
  expect(await standings()).toEqual(['graceOver', 'clear'])
  await runAt('03-20', 'pay')
  expect(await standings()).toEqual(['graceOver', 'clear'])
})
