import type { GatewayEvent } from '../../gateway/gateway.ts'
import type { Event } from './stripe-answers.ts'

/**
 * Objects whose events make us read all refunds and disputes of their payment; a dispute carries none of our metadata.
 */
const moving = ['dispute', 'refund', 'charge']

/** The payment, page or movements that a Stripe event is about. Docs of the events: docs/operator/billing.md. */
export function aboutOf({ data: { object } }: Event): GatewayEvent['about'] {
  const { payment_id: paymentId, setup_id: setupId } = object.metadata ?? {}
  if (moving.includes(object.object ?? '')) {
    const ref = object.payment_intent
    return typeof ref === 'string' && ref.length <= 255 ? { kind: 'movements', id: ref } : null
  }
  if (paymentId) return { kind: 'payment', id: paymentId }
  return setupId ? { kind: 'setup', id: setupId } : null
}
