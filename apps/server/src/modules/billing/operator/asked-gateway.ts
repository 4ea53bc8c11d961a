import type { PaymentGateway } from '../../payments/index.ts'

/** The gateway gave no clear answer: nothing can be said. */
export class GatewaySilent extends Error {}

/** The calls of a gateway that comparing it with the books needs. */
export type AskedGateway = Pick<
  PaymentGateway,
  'name' | 'read' | 'find' | 'readRefund' | 'listCaptures' | 'listMovements'
>
