import { z } from 'zod'
import type { Trx } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import type { CardRef, PaymentGateway } from '../gateway.ts'
import type { PaymentMethod } from './card-store.ts'

const cardDetachJob = 'card.detach'

/** Has the gateway forget a card once `trx` commits. */
export async function detachLater(trx: Trx, card: PaymentMethod): Promise<void> {
  const { gateway, customer_ref: customer, card_ref } = card
  await enqueueJob(trx, cardDetachJob, { gateway, customer, card: card_ref } satisfies CardRef & { gateway: string })
}

/** Detaching twice is success; a card of a gateway that is no longer used stays there, as nobody can ask it. */
export function cardDetach({ gateway }: { gateway: PaymentGateway }): Job {
  return defineJob({
    name: cardDetachJob,
    payload: z.object({ gateway: z.string(), customer: z.string(), card: z.string() }),
    async run({ gateway: name, ...card }, { log }) {
      if (name !== gateway.name) return log.warn({ gateway: name }, 'a removed card stays at a gateway not in use')
      const answer = await gateway.detach(card)
      if (answer.kind === 'unknown') throw new Error(`the gateway did not detach a card: ${answer.why}`)
    },
  })
}
