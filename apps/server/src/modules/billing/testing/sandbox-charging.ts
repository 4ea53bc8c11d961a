import type { Clock } from '../../../platform/clock.ts'
import { createSealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { sandboxAddresses } from '../../payments/drivers/sandbox/sandbox-address.ts'
import { createSandboxGateway } from '../../payments/drivers/sandbox/sandbox-gateway.ts'
import type { BillingDeps } from '../index.ts'

/** Billing's dependencies for charging cards in a test: the sandbox, and a feed that publishes no change. */
export function sandboxCharging(db: Db, clock: Clock): Pick<BillingDeps, 'gateway' | 'feed' | 'outcomeMs' | 'config'> {
  const addresses = sandboxAddresses(createSealer(Buffer.alloc(32, 7)))
  return {
    gateway: createSandboxGateway({ db, clock, webhookSecrets: ['a secret of this test'], addressOf: addresses.of }),
    // Calls that wait for a change answer at once with the current state.
    outcomeMs: 0,
    feed: {
      async subscribe({ publish }) {
        publish({ ready: true, resync: true, seq: 0 })
        return () => undefined
      },
    },
    config: { publicUrl: 'http://cloud.example/', chinaUrl: 'http://cloud.example.cn/' },
  }
}
