import { forgottenAfter, type KeyMove, madeAtStart } from '../../../platform/keys/index.ts'
import './setup-store.ts'

/** A page of the sandbox is answered within this, ms; a webhook signed within seconds before it comes. */
const sandboxPageMs = 60 * 60_000
const webhookMs = 5 * 60_000

export const paymentKeyMoves = {
  'card page': {
    async count({ db }, since) {
      const { count } = await db
        .selectFrom('card_setups')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', 'in', ['asked', 'open'])
        .where('created_at', '<', since)
        .executeTakeFirstOrThrow()
      return count
    },
  },
  'sandbox card': forgottenAfter(sandboxPageMs),
  'sandbox confirm': forgottenAfter(sandboxPageMs),
  'sandbox webhooks': forgottenAfter(webhookMs),
  // Tells whether a number was typed before; no money is in the sandbox, and one that is typed again counts as new.
  'sandbox card numbers': madeAtStart,
} satisfies Record<string, KeyMove>
