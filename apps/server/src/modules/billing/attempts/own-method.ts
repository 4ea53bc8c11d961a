import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { listCards } from '../../payments/index.ts'
import type { Method } from '../orders/begin-payment.ts'
import type { AttemptDeps } from './attempt-deps.ts'

/** The card that an account names, or its default one; null without one. Refuses a card that is not theirs. */
export async function getMethod(
  { gateway }: Pick<AttemptDeps, 'gateway'>,
  db: Db,
  userid: string,
  methodId: string | undefined,
): Promise<Method | null> {
  const cards = await listCards(db, userid, gateway.name)
  const card = cards.find((one) => (methodId === undefined ? one.is_default : one.id === methodId))
  if (!card && methodId !== undefined) refuse('notFound', { object: 'card' })
  return card ? { id: card.id, gateway: card.gateway } : null
}
