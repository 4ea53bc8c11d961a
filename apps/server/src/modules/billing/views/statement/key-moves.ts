import {
  forgottenAfter,
  type KeyMove,
  type KeyMoveDeps,
  madeAtStart,
  sealedColumn,
} from '../../../../platform/keys/index.ts'
import { estimateLifetimeMs } from '../../pricing/estimate-token.ts'
import { ensureStatementKey } from './statement-key-store.ts'

export const billingKeyMoves = {
  'seed of statements': sealedColumn({
    use: 'seed of statements',
    table: 'statement_keys',
    key: 'public_key',
    column: 'sealed',
  }),
  // The first one is derived; it is kept before another key makes values.
  'statement key': madeAtStart,
  estimate: forgottenAfter(estimateLifetimeMs),
  'refund estimate': forgottenAfter(estimateLifetimeMs),
} satisfies Record<string, KeyMove>

/** Stores the statement key that the present key derives: its public key stays published, and it continues to sign. */
export async function keepStatementKey({ db, clock, sealer }: KeyMoveDeps): Promise<void> {
  await ensureStatementKey({ db, sealer, now: clock.now() })
}
