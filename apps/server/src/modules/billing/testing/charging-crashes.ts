/**
 * The crash matrix of charging: a worker is killed at every boundary, between any two writes and on both sides of each
 * request to a gateway whose first answer is lost; the next worker knows only what the database and the gateway show.
 */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { runDoomed } from '../../../testing/run-doomed.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { removeOwnCard } from '../../payments/cards/card-service.ts'
import { listCards } from '../../payments/index.ts'
import { cardDeps } from '../../payments/testing/card-works.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { type ChargingDesk, openChargingDesk } from './charging-desk.ts'
import type { DoomedChargingOptions } from './doomed-charging.ts'
import { expectSound } from './expect-sound.ts'
import { openStumblingDesk } from './stumbling-desk.ts'

const program = fileURLToPath(new URL('doomed-charging.ts', import.meta.url))
const database = useDatabase({ max: 12 })

interface Attempt {
  desk: ChargingDesk
  invoiceId: string
  paymentId: string
}
/** The payments to continue, each in its own account, because a stopped worker keeps its account locked. */
const scenes = {
  pays: (desk: ChargingDesk) => begin(desk, '4242424242424242'),
  declines: (desk: ChargingDesk) => begin(desk, '4000000000000341'),
  async 'is canceled on its page'(desk: ChargingDesk) {
    const begun = await begin(desk, '4000000000003220')
    await desk.carry(begun.paymentId)
    const { userid, billing, transact } = desk
    await transact((trx) => billing.lapse(trx, { userid, invoiceId: begun.invoiceId, at: new Date() }))
    return begun
  },
  'is confirmed on its page': (desk: ChargingDesk) => asked(desk, "state = 'done'"),
  'is refused on its page': (desk: ChargingDesk) => asked(desk, "state = 'declined', code = 'cardConfirmationFailed'"),
  'is left on its page for too long': (desk: ChargingDesk) => asked(desk, 'action_until = now()'),
  'loses its card': (desk: ChargingDesk) => begin(desk, '4242424242424242'),
}
/** One whose bank asks, and what came of its page. */
async function asked(desk: ChargingDesk, answer: string): Promise<Attempt> {
  const begun = await begin(desk, '4000000000003220')
  await desk.carry(begun.paymentId)
  await database.pool.query(`update sandbox_payments set ${answer} where payment_id = $1`, [begun.paymentId])
  return begun
}
async function begin(desk: ChargingDesk, number: string): Promise<Attempt> {
  await desk.credit(500)
  return { desk, ...(await desk.order(1440, await desk.addCard(number), new Date())) }
}
/** The account's only card, which the gateway forgets too. */
async function removeCard({ userid, deps: { gateway } }: ChargingDesk): Promise<void> {
  const [card] = await listCards(database.db, userid, 'sandbox')
  const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '192.0.2.9' } as const
  await removeOwnCard(cardDeps(database.db, gateway), caller, card?.id ?? '')
  await gateway.detach({ customer: card?.customer_ref ?? '', card: card?.card_ref ?? '' })
}
const prepare = async (scene: keyof typeof scenes) => await scenes[scene](await openChargingDesk(database))

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
  const stumbling = await openStumblingDesk(database, elsewhere, systemClock)
  const { passed } = await runToBoundary(Number.POSITIVE_INFINITY, () => stumbling.carry(model.paymentId))
  await elsewhere.close()
  expect(passed).toBeGreaterThanOrEqual(least)
  const attempts: Attempt[] = []
  while (attempts.length < passed) attempts.push(await prepare(scene))
  const boundaries = Object.fromEntries(attempts.map(({ paymentId }, at) => [paymentId, at + 1]))
  const options: DoomedChargingOptions = { databaseUrl: database.url, boundaries }
  expect(await runDoomed(program, options)).toEqual(attempts.map(({ paymentId }) => paymentId))
  const ends = new Set<string>()
  for (const { desk, paymentId, invoiceId } of attempts) {
    if (scene === 'loses its card') await removeCard(desk)
    const { state, decline_code: code } = await desk.carry(paymentId)
    ends.add(code ?? state)
    const invoice = await getInvoice(database.db, desk.userid, invoiceId)
    const isVoid = scene === 'is canceled on its page'
    expect(invoice.state).toBe(state === 'succeeded' ? 'paid' : isVoid ? 'void' : 'open')
    expect(await desk.captures()).toEqual(state === 'succeeded' ? { [paymentId]: 940 } : {})
    expect(await Promise.all([desk.balance('held:cash'), desk.balance('held:promo')])).toEqual([0, 0])
    await expectSound(database, desk)
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
