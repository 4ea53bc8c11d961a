import { Kysely, PostgresDialect } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tables } from '../../../platform/db/index.ts'
import { countBoundaries } from '../../clusters/testing/boundary-pool.ts'
import { erringGateway, withBoundaries } from '../../payments/testing/erring-gateway.ts'
import type { BillingDeps } from '../index.ts'
import { type ChargingHarness, openChargingHarness } from './charging-harness.ts'
import { sandboxCharging } from './sandbox-charging.ts'

/**
 * A harness for the crash matrix: statements that write are boundaries, and both sides of each request to the gateway,
 * whose tables are reached through `elsewhere`. Of each payment the first confirmation takes effect and is not
 * answered, and of each refund to a card the first request. `database` of the answer is the one whose statements count.
 */
export async function openStumblingHarness(
  database: Database,
  elsewhere: Database,
  clock: Clock,
  more: Partial<BillingDeps> = {},
): Promise<ChargingHarness & { database: Database }> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: countBoundaries(database.pool) }) })
  const confirmed = new Set<string>()
  const erring = erringGateway(sandboxCharging(elsewhere.db, clock).gateway, (request, id) => {
    if ((request !== 'confirm' && request !== 'refund') || confirmed.has(id)) return undefined
    confirmed.add(id)
    return 'after'
  })
  const counted = { ...database, db }
  return {
    ...(await openChargingHarness(counted, { ...more, clock, gateway: withBoundaries(erring) })),
    database: counted,
  }
}
