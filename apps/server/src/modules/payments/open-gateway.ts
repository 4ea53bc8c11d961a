import { createHmac } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { sandboxAddresses } from './drivers/sandbox/sandbox-address.ts'
import { sandboxDeliver } from './drivers/sandbox/sandbox-events.ts'
import { createSandboxGateway } from './drivers/sandbox/sandbox-gateway.ts'
import { sandboxPlugin } from './drivers/sandbox/sandbox-plugin.ts'
import { findCustomerOf } from './drivers/sandbox/sandbox-store.ts'
import type { PaymentGateway } from './gateway/gateway.ts'
import type { PaymentsConfig } from './settings.ts'
import { webhookPath } from './webhook-plugin.ts'

export interface OpenedGateway {
  gateway: PaymentGateway
  /** The gateway's own pages, where it has some here. */
  plugin: FastifyPluginAsync
  jobs: Job[]
}

/** The gateway that is configured, with what it brings along. */
export async function openGateway(deps: {
  db: Db
  clock: Clock
  sealer: Sealer
  config: { payments: PaymentsConfig; product: string; publicUrl: string }
}): Promise<OpenedGateway> {
  const { db, clock, sealer, config } = deps
  if (config.payments.gateway === 'stripe') {
    // Loaded where it is used: the library is large.
    const { createStripeGateway } = await import('./drivers/stripe/stripe-gateway.ts')
    return { gateway: createStripeGateway(config.payments), plugin: async () => undefined, jobs: [] }
  }
  const addresses = sandboxAddresses(sealer)
  const webhookSecrets = sealer.deriveEach('sandbox webhooks')
  const fingerprintKey = sealer.derive('sandbox card numbers')
  const fingerprintOf = (number: string) => createHmac('sha256', fingerprintKey).update(number).digest('hex')
  return {
    gateway: createSandboxGateway({ db, clock, webhookSecrets, addressOf: addresses.of }),
    plugin: sandboxPlugin({ db, clock, product: config.product, isProof: addresses.isProof, fingerprintOf }),
    jobs: [
      sandboxDeliver({
        clock,
        webhookUrl: config.publicUrl + webhookPath('sandbox'),
        secret: sealer.derive('sandbox webhooks'),
        customerOf: (about) => findCustomerOf(db, about),
      }),
    ],
  }
}
