import { reachBoundary } from '../../clusters/testing/boundary-pool.ts'
import type { PaymentGateway } from '../gateway/gateway.ts'

/** A fault of one request to a gateway: it never arrives, it takes effect and is not answered, or it arrives twice. */
export type GatewayFault = 'before' | 'after' | 'twice'
export type GatewayRequest =
  | 'openSetup'
  | 'readSetup'
  | 'create'
  | 'confirm'
  | 'read'
  | 'find'
  | 'cancel'
  | 'refund'
  | 'detach'

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
    openSetup: (setup) => send('openSetup', setup.setupId, () => gateway.openSetup(setup)),
    readSetup: (setup) => send('readSetup', setup.setupId, () => gateway.readSetup(setup)),
    create: (order) => send('create', order.paymentId, () => gateway.create(order)),
    confirm: (order) => send('confirm', order.paymentId, () => gateway.confirm(order)),
    read: (payment) => send('read', payment.paymentId, () => gateway.read(payment)),
    find: (payment) => send('find', payment.paymentId, () => gateway.find(payment)),
    cancel: (payment) => send('cancel', payment.paymentId, () => gateway.cancel(payment)),
    refund: (refund) => send('refund', refund.refundId, () => gateway.refund(refund)),
    detach: (card) => send('detach', card.card, () => gateway.detach(card)),
  }
}

/** `gateway` with a boundary of a crash matrix on both sides of each request. */
export function withBoundaries(gateway: PaymentGateway): PaymentGateway {
  const between = async <T>(call: () => Promise<T>): Promise<T> => {
    await reachBoundary()
    const answer = await call()
    await reachBoundary()
    return answer
  }
  return {
    ...gateway,
    openSetup: (setup) => between(() => gateway.openSetup(setup)),
    readSetup: (setup) => between(() => gateway.readSetup(setup)),
    create: (order) => between(() => gateway.create(order)),
    confirm: (order) => between(() => gateway.confirm(order)),
    read: (payment) => between(() => gateway.read(payment)),
    find: (payment) => between(() => gateway.find(payment)),
    cancel: (payment) => between(() => gateway.cancel(payment)),
    refund: (refund) => between(() => gateway.refund(refund)),
    readRefund: (refund) => between(() => gateway.readRefund(refund)),
    detach: (card) => between(() => gateway.detach(card)),
  }
}
