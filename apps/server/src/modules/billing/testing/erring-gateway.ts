import type { PaymentGateway } from '../../payments/index.ts'

/**
 * What goes wrong with one request to a gateway: it never arrives, it takes effect and is not answered, or it arrives
 * twice.
 */
export type GatewayFault = 'before' | 'after' | 'twice'
export type GatewayRequest = 'create' | 'confirm' | 'read' | 'find' | 'cancel' | 'refund'

/** `gateway` with the fault that `choose` names for a request; undefined: it works. */
export function erringGateway(
  gateway: PaymentGateway,
  choose: (request: GatewayRequest, id: string) => GatewayFault | undefined,
): PaymentGateway {
  const lost = { kind: 'unknown', why: 'the line was cut' } as const
  const send = async <T>(request: GatewayRequest, id: string, call: () => Promise<T>): Promise<T | typeof lost> => {
    const fault = choose(request, id)
    if (fault === 'before') return lost
    if (fault === 'twice') await call()
    const answer = await call()
    return fault === 'after' ? lost : answer
  }
  return {
    ...gateway,
    create: (order) => send('create', order.paymentId, () => gateway.create(order)),
    confirm: (order) => send('confirm', order.paymentId, () => gateway.confirm(order)),
    read: (payment) => send('read', payment.paymentId, () => gateway.read(payment)),
    find: (payment) => send('find', payment.paymentId, () => gateway.find(payment)),
    cancel: (payment) => send('cancel', payment.paymentId, () => gateway.cancel(payment)),
    refund: (refund) => send('refund', refund.refundId, () => gateway.refund(refund)),
  }
}
