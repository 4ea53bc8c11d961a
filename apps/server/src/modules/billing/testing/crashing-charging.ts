/**
 * A worker that kills itself (SIGKILL) while it charges cards. Each payment runs up to its own boundary
 * (boundary-pool.ts, and before and after each request to the gateway) and stops there; when all have stopped or ended,
 * the process kills itself.
 *
 *   node crashing-charging.ts '{"databaseUrl", "boundaries": {"<paymentId>": 3}}'
 *
 * Prints the ids of those that stopped. Only tests start it.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { openStumblingHarness } from './stumbling-harness.ts'

export interface CrashingChargingOptions {
  databaseUrl: string
  /** Payment → the boundary at which it stops, counted from 1. */
  boundaries: Record<string, number>
}

const options: CrashingChargingOptions = JSON.parse(process.argv[2] ?? '{}')
const payments = Object.entries(options.boundaries)
const connection = { connectionString: options.databaseUrl }
// The gateway has its own connection: its statements do not count as boundaries.
const elsewhere = createDatabase(connection, { max: 4 })
// One that has stopped keeps its connection; one more for the locks, and one to read.
const harness = await openStumblingHarness(
  createDatabase(connection, { max: payments.length + 2 }),
  elsewhere,
  systemClock,
)
const outcomes = await Promise.all(
  payments.map(async ([paymentId, boundary]) => {
    const { halted } = await runToBoundary(boundary, () => harness.carry(paymentId))
    return { paymentId, halted }
  }),
)
const stopped = outcomes.filter(({ halted }) => halted).map(({ paymentId }) => paymentId)
writeSync(1, JSON.stringify(stopped))
process.kill(process.pid, 'SIGKILL')
