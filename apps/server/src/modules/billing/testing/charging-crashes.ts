/**
 * The crash matrix of charging: a worker is killed at every boundary, between any two writes and on both sides of each
 * request to a gateway whose first answer is lost; the next worker knows only what the database and the gateway show.
 */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { runCrashing } from '../../../testing/run-crashing.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { removeOwnCard } from '../../payments/cards/card-service.ts'
import { listCards } from '../../payments/index.ts'
import { cardDeps } from '../../payments/testing/card-works.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { type ChargingHarness, openChargingHarness } from './charging-harness.ts'
import type { CrashingChargingOptions } from './crashing-charging.ts'
import { expectSound } from './expect-sound.ts'
import { openStumblingHarness } from './stumbling-harness.ts'

const program = fileURLToPath(new URL('crashing-charging.ts', import.meta.url))
const database = useDatabase({ max: 12 })

interface Attempt {
  harness: ChargingHarness
  invoiceId: string
  paymentId: string
}
/** The payments to continue, each in its own account, because a stopped worker keeps its account locked. */
const scenes = {
  pays: (harness: ChargingHarness) => begin(harness, '4242424242424242'),
  declines: (harness: ChargingHarness) => begin(harness, '4000000000000341'),
  async 'is canceled on its page'(harness: ChargingHarness) {
    const begun = await begin(harness, '4000000000003220')
    await harness.carry(begun.paymentId)
    const { userid, billing, transact } = harness
    await transact((trx) => billing.lapse(trx, { userid, invoiceId: begun.invoiceId, at: new Date() }))
    return begun
  },
  'is confirmed on its page': (harness: ChargingHarness) => asked(harness, "state = 'done'"),
  'is refused on its page': (harness: ChargingHarness) =>
    asked(harness, "state = 'declined', code = 'cardConfirmationFailed'"),
  'is left on its page for too long': (harness: ChargingHarness) => asked(harness, 'action_until = now()'),
  'loses its card': (harness: ChargingHarness) => begin(harness, '4242424242424242'),
}
/** One whose bank asks, and what came of its page. */
async function asked(harness: ChargingHarness, answer: string): Promise<Attempt> {
  const begun = await begin(harness, '4000000000003220')
  await harness.carry(begun.paymentId)
  await database.pool.query(`update sandbox_payments set ${answer} where payment_id = $1`, [begun.paymentId])
  return begun
}
async function begin(harness: ChargingHarness, number: string): Promise<Attempt> {
  await harness.credit(500)
  return { harness, ...(await harness.order(1440, await harness.addCard(number), new Date())) }
}
/** The account's only card, which the gateway forgets too. */
async function removeCard({ userid, deps: { gateway } }: ChargingHarness): Promise<void> {
  const [card] = await listCards(database.db, userid, 'sandbox')
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '192.0.2.9' } as const
  await removeOwnCard(cardDeps(database.db, gateway), caller, card?.id ?? '')
  await gateway.detach({ customer: card?.customer_ref ?? '', card: card?.card_ref ?? '' })
}
const prepare = async (scene: keyof typeof scenes) => await scenes[scene](await openChargingHarness(database))

/** Each kind of payment, and how many boundaries it passes at least. */
export const payments = [
  ['pays', 8],
  ['declines', 8],
  ['is canceled on its page', 4],
  ['is confirmed on its page', 4],
  ['is refused on its page', 4],
  ['is left on its page for too long', 4],
  ['loses its card', 8],
] as const

/** Kills a worker at every boundary of a payment: charged once or not at all, and the book says so. */
export async function killAnywhere(scene: keyof typeof scenes, least: number): Promise<void> {
  const model = await prepare(scene)
  const elsewhere = createDatabase({ connectionString: database.url }, { max: 2 })
  const stumbling = await openStumblingHarness(database, elsewhere, systemClock)
  const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, () => stumbling.carry(model.paymentId))
  await elsewhere.close()
  expect(passed).toBeGreaterThanOrEqual(least)
  const attempts: Attempt[] = []
  while (attempts.length < passed) attempts.push(await prepare(scene))
  const boundaries = Object.fromEntries(attempts.map(({ paymentId }, at) => [paymentId, at + 1]))
  const options: CrashingChargingOptions = { databaseUrl: database.url, boundaries }
  expect(await runCrashing(program, options)).toEqual(attempts.map(({ paymentId }) => paymentId))
  const ends = new Set<string>()
  for (const { harness, paymentId, invoiceId } of attempts) {
    if (scene === 'loses its card') await removeCard(harness)
    const { state, decline_code: code } = await harness.carry(paymentId)
    ends.add(code ?? state)
    const invoice = await getInvoice(database.db, harness.userid, invoiceId)
    const isVoid = scene === 'is canceled on its page'
    expect(invoice.state).toBe(state === 'succeeded' ? 'paid' : isVoid ? 'void' : 'open')
    expect(await harness.captures()).toEqual(state === 'succeeded' ? { [paymentId]: 940 } : {})
    expect(await Promise.all([harness.balance('held:cash'), harness.balance('held:promo')])).toEqual([0, 0])
    await expectSound(database, harness)
  }
  // Killed before the gateway received it, nothing is charged: it is found nowhere, and made again.
  const expected = {
    pays: ['succeeded'],
    declines: ['cardDeclined'],
    'is canceled on its page': ['canceled'],
    'is confirmed on its page': ['succeeded'],
    'is refused on its page': ['cardConfirmationFailed'],
    'is left on its page for too long': ['canceled'],
    'loses its card': ['succeeded', 'cardGone'],
  }
  expect([...ends].sort()).toEqual(expected[scene].toSorted())
}
