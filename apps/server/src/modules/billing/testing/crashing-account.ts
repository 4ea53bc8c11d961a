/**
 * A worker that kills itself (SIGKILL) while it works on accounts. The work on each account runs up to its own boundary
 * (boundary-pool.ts, and before and after each request to the gateway) and stops there; when all have stopped or ended,
 * the process kills itself.
 *
 *   node crashing-account.ts '{"databaseUrl", "work", "boundaries": {"<userid>": 3}}'
 *
 * Prints the ids of the accounts whose work stopped. Only tests start it.
 */
import { writeSync } from 'node:fs'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase } from '../../../platform/db/index.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { type AccountWork, carryAccount, workingDeps } from './account-works.ts'
import { openStumblingHarness } from './stumbling-harness.ts'

export interface CrashingAccountOptions {
  databaseUrl: string
  work: AccountWork
  /** Account → the boundary at which it stops, counted from 1. */
  boundaries: Record<string, number>
}

const options: CrashingAccountOptions = JSON.parse(process.argv[2] ?? '{}')
const accounts = Object.entries(options.boundaries)
const connection = { connectionString: options.databaseUrl }
// The gateway has its own connection: its statements do not count as boundaries.
const elsewhere = createDatabase(connection, { max: 4 })
// One that has stopped keeps its connections.
const database = createDatabase(connection, { max: 2 * accounts.length + 2 })
const harness = await openStumblingHarness(database, elsewhere, systemClock, workingDeps)
const outcomes = await Promise.all(
  accounts.map(async ([userid, boundary]) => {
    const { halted } = await runToBoundary(boundary, () =>
      carryAccount(harness.database, harness, userid, options.work),
    )
    return { userid, halted }
  }),
)
const stopped = outcomes.filter(({ halted }) => halted).map(({ userid }) => userid)
writeSync(1, JSON.stringify(stopped))
process.kill(process.pid, 'SIGKILL')
