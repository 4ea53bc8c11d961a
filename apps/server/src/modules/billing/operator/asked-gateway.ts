import type { PaymentGateway } from '../../payments/index.ts'

/** The gateway gave no clear answer: nothing can be said. */
export class GatewaySilent extends Error {}

/** What of a gateway is asked to hold the books to it. */
export type AskedGateway = Pick<
  PaymentGateway,
  'name' | 'read' | 'find' | 'readRefund' | 'listCaptures' | 'listMovements'
>
