import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import type { CardRef, PaymentGateway } from '../gateway/gateway.ts'
import { findCard, listKeptCards, type PaymentMethod, removeCard } from './card-store.ts'

const cardDetachJob = 'card.detach'

/** Has the gateway forget a card once `trx` commits. */
export async function detachLater(trx: Trx, card: PaymentMethod): Promise<void> {
  const { id, gateway, customer_ref: customer, card_ref } = card
  const ref = { customer, card: card_ref } satisfies CardRef
  await enqueueJob(trx, cardDetachJob, { ...ref, id, gateway })
}

/** Has gateways forget all cards of an account that ends. Safe to repeat. */
export async function forgetCards(trx: Trx, userid: string, at: Date): Promise<void> {
  for (const card of await listKeptCards(trx, userid)) {
    await removeCard(trx, card.id, at)
    await detachLater(trx, card)
  }
}

export interface DetachDeps {
  db: Db
  clock: Clock
  gateway: PaymentGateway
  /** Whether a payment that is under way may still charge the card. */
  isCharging(db: Db, cardId: string): Promise<boolean>
}

/** How long a card that is still being charged is kept before it is looked at again, ms. */
const chargingMs = 60_000

/** Detaching twice is success; a card of a gateway that is no longer used stays there, as nobody can ask it. */
export function cardDetach({ db, clock, gateway, isCharging }: DetachDeps): Job {
  return defineJob({
    name: cardDetachJob,
    lane: 'gateway',
    accountOf: async ({ id }) => (id === undefined ? null : (await findCard(db, id))?.userid),
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ gateway: z.string(), customer: z.string(), card: z.string(), id: z.string().optional() }),
    async run(payload, { log }) {
      const { gateway: name, id, ...card } = payload
      if (name !== gateway.name) return log.warn({ gateway: name }, 'a removed card stays at a gateway not in use')
      if (id !== undefined && (await isCharging(db, id))) {
        await enqueueJob(db, cardDetachJob, payload, { runAt: new Date(clock.now().getTime() + chargingMs) })
        return
      }
      const answer = await gateway.detach(card)
      if (answer.kind === 'unknown') throw new Error(`the gateway did not detach a card: ${answer.why}`)
    },
  })
}
