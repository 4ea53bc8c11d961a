import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { listCards, type PaymentGateway } from '../../payments/index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { findUndisputed } from '../pay/other-card.ts'
import { listDisputedCards } from '../records/dispute-store.ts'
import type { EstimateDeps } from './estimate-service.ts'

export interface OrderMethodDeps extends Pick<EstimateDeps, 'findMethod'> {
  gateway: Pick<PaymentGateway, 'name'>
}

/** The card for an order: the one that its customer names, refused as `getMethod` refuses it, or the account's. */
export async function getOrderMethod(
  deps: OrderMethodDeps,
  trx: Trx,
  userid: string,
  methodId: string | undefined,
): Promise<Method | null> {
  return methodId === undefined ? await deps.findMethod(trx, userid) : await getMethod(deps, trx, userid, methodId)
}

/**
 * The card that an account names, or its default one, or another while that one's payment is disputed; null without one
 * that may be charged. Refuses a card that is not theirs, and one of which they dispute a payment.
 */
export async function getMethod(
  { gateway }: Pick<OrderMethodDeps, 'gateway'>,
  db: Db,
  userid: string,
  methodId: string | undefined,
): Promise<Method | null> {
  const cards = await listCards(db, userid, gateway.name)
  const card = cards.find((one) => (methodId === undefined ? one.is_default : one.id === methodId))
  const method = card ? { id: card.id, gateway: card.gateway } : null
  if (methodId === undefined) return await findUndisputed({ gateway }, db, userid, method)
  if (!card) return refuse('cardUnknown')
  if ((await listDisputedCards(db, [card.id])).has(card.id)) refuse('cardDisputed')
  return method
}
