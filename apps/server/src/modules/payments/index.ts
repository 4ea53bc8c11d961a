/** Cards and the gateway that charges them: the sandbox or Stripe (gateway.ts). */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { ChangeFeed } from '../../platform/events/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { cardDetach } from './cards/card-detach.ts'
import { cardPagePlugin } from './cards/card-page-plugin.ts'
import type { CardDeps } from './cards/card-service.ts'
import { enqueueSetupRead } from './cards/card-setup.ts'
import type { PaymentGateway } from './gateway.ts'
import { cardSetupOpen } from './jobs/card-setup-open.ts'
import { cardSetupRead } from './jobs/card-setup-read.ts'
import { paymentsSweep } from './jobs/payments-sweep.ts'
import { openGateway } from './open-gateway.ts'
import { paymentMethodRoutes } from './routes/payment-method-routes.ts'
import type { PaymentsConfig } from './settings.ts'
import { webhookPlugin } from './webhook-plugin.ts'

export { findCard, listCards, type PaymentMethod } from './cards/card-store.ts'
export type { PaymentGateway, PaymentOrder, PaymentOutcome, RefundOrder, RefundOutcome } from './gateway.ts'
export { openGateway } from './open-gateway.ts'

export interface PaymentsDeps extends Pick<CardDeps, 'lockAccount' | 'currencyOf' | 'onCardReady'> {
  db: Db
  clock: Clock
  sealer: Sealer
  feed: ChangeFeed
  config: { payments: PaymentsConfig; product: string; publicUrl: string; chinaUrl: string }
  /** The gateway says that something became of a payment: has a job ask it. */
  onPaymentNews(trx: Trx, paymentId: string): Promise<void>
}

export interface Payments {
  gateway: PaymentGateway
  routes: Route[]
  plugins: FastifyPluginAsync[]
  jobs: Job[]
}

export async function createPayments(deps: PaymentsDeps): Promise<Payments> {
  const { gateway, plugin, jobs } = await openGateway(deps)
  const cards = { ...deps, gateway }
  const askAbout = (trx: Trx, about: { kind: 'payment' | 'setup'; id: string }) =>
    about.kind === 'setup' ? enqueueSetupRead(trx, about.id) : deps.onPaymentNews(trx, about.id)
  return {
    gateway,
    routes: paymentMethodRoutes(cards),
    plugins: [plugin, webhookPlugin({ ...cards, askAbout }), cardPagePlugin(deps)],
    jobs: [...jobs, cardSetupOpen(cards), cardSetupRead(cards), cardDetach(cards), paymentsSweep(deps)],
  }
}
