/**
 * A worker that kills itself (SIGKILL) while it works on cards. The work on each account runs up to its own boundary
 * (boundary-pool.ts, and before and after each request to the gateway) and stops there; when all have stopped or ended,
 * the process kills itself.
 *
 *   node crashing-cards.ts '{"databaseUrl", "work", "boundaries": {"<userid>": 3}}'
 *
 * Prints the ids of the accounts whose work stopped. Only tests start it.
 */
import { writeSync } from 'node:fs'
import { createDatabase } from '../../../platform/db/index.ts'
import { runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { type CardWork, carryCards, stumblingCardDeps } from './card-works.ts'

export interface CrashingCardsOptions {
  databaseUrl: string
  work: CardWork
  /** Account → the boundary at which it stops, counted from 1. */
  boundaries: Record<string, number>
}

const options: CrashingCardsOptions = JSON.parse(process.argv[2] ?? '{}')
const accounts = Object.entries(options.boundaries)
const connection = { connectionString: options.databaseUrl }
// The gateway has its own connection: its statements do not count as boundaries.
const elsewhere = createDatabase(connection, { max: 4 })
// One that has stopped keeps its connections.
const deps = stumblingCardDeps(createDatabase(connection, { max: 2 * accounts.length + 2 }), elsewhere)
const outcomes = await Promise.all(
  accounts.map(async ([userid, boundary]) => {
    const { halted } = await runToBoundary(boundary, () => carryCards(deps, userid, options.work))
    return { userid, halted }
  }),
)
const stopped = outcomes.filter(({ halted }) => halted).map(({ userid }) => userid)
writeSync(1, JSON.stringify(stopped))
process.kill(process.pid, 'SIGKILL')
