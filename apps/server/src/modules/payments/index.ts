/** Cards and the gateway that charges them: the sandbox or Stripe (gateway.ts). */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { ChangeFeed } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { cardDetach, type DetachDeps } from './cards/card-detach.ts'
import { cardPagePlugin } from './cards/card-page-plugin.ts'
import type { CardDeps } from './cards/card-service.ts'
import { enqueueSetupRead } from './cards/card-setup.ts'
import type { GatewayName } from './gateway/gateway.ts'
import { cardSetupOpen } from './jobs/card-setup-open.ts'
import { cardSetupRead } from './jobs/card-setup-read.ts'
import { paymentsSweep } from './jobs/payments-sweep.ts'
import type { OpenedGateway } from './open-gateway.ts'
import { type CardRouteDeps, paymentMethodRoutes } from './routes/payment-method-routes.ts'
import type { PaymentsConfig } from './settings.ts'
import { type WebhookDeps, webhookPlugin } from './webhook-plugin.ts'

export { forgetCards } from './cards/card-detach.ts'
export {
  accountsWithCard,
  defaultCardOf,
  faceOf,
  findCard,
  findCustomerOwner,
  findDefaultCard,
  fingerprintsOf,
  hasCardOnFile,
  listCards,
  listCustomers,
  listSameCards,
  type PaymentMethod,
  sameCardsAs,
} from './cards/card-store.ts'
export { paymentKeyMoves } from './cards/key-moves.ts'
export { decideSandboxDispute } from './drivers/sandbox/sandbox-movements.ts'
export type {
  Capture,
  GatewayName,
  PaymentGateway,
  PaymentOrder,
  PaymentOutcome,
  RefundOrder,
  RefundOutcome,
} from './gateway/gateway.ts'
export { findNewestEvent } from './gateway/gateway-event-store.ts'
export type { DisputeState, MovedDispute, MovedRefund, Movements } from './gateway/gateway-movements.ts'
export { type OpenedGateway, openGateway } from './open-gateway.ts'

export interface PaymentsDeps
  extends Pick<CardDeps, 'lockAccount' | 'currencyOf' | 'onCardReady' | 'beforeLastCard' | 'beforeOtherCard'>,
    Pick<DetachDeps, 'isCharging'>,
    Pick<CardRouteDeps, 'listDeclines'> {
  db: Db
  clock: Clock
  sealer: Sealer
  feed: ChangeFeed
  /** Opened before what is sold, which pays through it. */
  opened: OpenedGateway
  config: { payments: PaymentsConfig; product: string; publicUrl: string; chinaUrl: string }
  /** The gateway says that something became of a payment: has a job ask it. */
  onPaymentNews(trx: Trx, paymentId: string): Promise<void>
  /** The same of refunds and disputes of a payment, by the gateway's ref of it. */
  onMovements(trx: Trx, paymentRef: string): Promise<void>
}

export interface Payments {
  /** By which cards are charged now. */
  gateway: { name: GatewayName }
  routes: Route[]
  plugins: FastifyPluginAsync[]
  jobs: Job[]
}

export function createPayments(deps: PaymentsDeps): Payments {
  const { gateway, plugin, jobs } = deps.opened
  const cards = { ...deps, gateway }
  const askers = { payment: deps.onPaymentNews, setup: enqueueSetupRead, movements: deps.onMovements }
  const askAbout: WebhookDeps['askAbout'] = (trx, { kind, id }) => askers[kind](trx, id)
  return {
    gateway,
    routes: paymentMethodRoutes(cards),
    plugins: [plugin, webhookPlugin({ ...cards, askAbout }), cardPagePlugin(deps)],
    jobs: [...jobs, cardSetupOpen(cards), cardSetupRead(cards), cardDetach(cards), paymentsSweep(deps)],
  }
}
