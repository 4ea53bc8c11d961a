/** Usage of an account that ends: billed for the last time, and nothing of it falls due afterwards. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { quoteClosing, readUnsettled } from '../operator/close-money.ts'
import { openCreditHarness } from '../testing/credit-harness.ts'
import { after, days, end, hours, start } from '../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: Awaited<ReturnType<typeof openCreditHarness>>

beforeEach(async () => {
  harness = await openCreditHarness(database, clock)
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  // 18.00 above the quota.
  harness.script.flow('cloud_traffic', after(days), 900)
})

const unsettled = () => readUnsettled(database.db, harness.userid)
const endSales = () =>
  harness.transact((trx) => harness.billing.endSales(trx, { userid: harness.userid, from: clock.now() }))
const settle = (isWaived = false) =>
  harness.transact((trx) => harness.billing.settleUsage(trx, { userid: harness.userid, isWaived }))
const totals = async () => (await harness.bills()).map(({ amount }) => amount)

test('is billed when its meters have spoken or six hours after its plan ended, and never after that', async () => {
  clock.set(after(10 * days))
  harness.script.beSilentUntil(end)
  await endSales()
  await settle()
  expect(await totals()).toEqual([])
  expect(await unsettled()).toMatchObject({ isUsageDue: true })
  clock.set(after(10 * days + 6 * hours))
  await settle()
  expect(await totals()).toEqual([1800])
  expect(await unsettled()).toMatchObject({ isUsageDue: false, isMoving: true })

  harness.script.flow('cloud_traffic', after(2 * days), 500)
  await harness.runUntil(new Date(end.getTime() + 100 * days))
  expect(await totals()).toEqual([1800])
  await harness.expectProvable()
})

test('is billed of the period in which its plan ended, too, where the bill of the one before still waits', async () => {
  harness.script.beSilentUntil(new Date(end.getTime() + 3 * hours))
  await harness.runUntil(end)
  await harness.answer('pay')
  harness.script.flow('cloud_traffic', new Date(end.getTime() + hours), 900)
  clock.set(new Date(end.getTime() + 2 * hours))
  await endSales()
  await settle()
  expect(await totals()).toEqual([])
  clock.set(new Date(end.getTime() + 4 * hours))
  await settle()
  expect(await totals()).toEqual([1800, 1800])
  expect(await unsettled()).toMatchObject({ isUsageDue: false })
  await harness.runUntil(new Date(end.getTime() + 100 * days))
  expect(await totals()).toEqual([1800, 1800])
  await harness.expectProvable()
})

test('of a plan that had ended before is corrected for the last time', async () => {
  await harness.change(0)
  await harness.runUntil(end)
  expect(await totals()).toEqual([1800])
  await harness.answer('pay')
  harness.script.flow('cloud_traffic', after(days), -500)
  clock.set(new Date(end.getTime() + days))
  await endSales()
  expect(await unsettled()).toMatchObject({ isUsageDue: true })
  await settle()
  expect(await unsettled()).toMatchObject({ isUsageDue: false })
  expect(await harness.balance('cash')).toBe(-1500)
  await harness.runUntil(new Date(end.getTime() + 100 * days))
  expect(await totals()).toEqual([1800])
  await harness.expectProvable()
})

test('is subtracted from the amount that is named before, and waived where a restore brought the account back', async () => {
  const { deps, userid } = harness
  await harness.credit(3000)
  await harness.grant(300, clock.now())
  clock.set(after(10 * days))
  const named = await quoteClosing(deps, userid, { clusterIds: [], since: clock.now() })
  expect(named).toMatchObject({ balance: 3000, owed: 1500, promo: 0 })
  await endSales()
  await settle(true)
  expect(await unsettled()).toMatchObject({ isUsageDue: false })
  expect(await totals()).toEqual([])
})
