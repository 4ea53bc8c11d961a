/** The one place that builds everything and decides who gets what. */
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate } from './http/calls.ts'
import { createEventStreams, type EventStreams } from './http/events.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import type { Route } from './http/route.ts'
import { createAccounts } from './modules/accounts/index.ts'
import { createIdentity } from './modules/identity/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { createChangeFeed, createListener, type Listener } from './platform/events/index.ts'
import type { Job } from './platform/jobs/index.ts'
import type { Log } from './platform/log.ts'
import type { OpenDatabase } from './start/database.ts'

export interface System {
  clock: Clock
  listener: Listener
  metrics: Metrics
  /** The api role's. */
  routes: Route[]
  plugins: FastifyPluginAsync[]
  authenticate: Authenticate
  events: EventStreams
  /** The worker role's. */
  jobs: Job[]
}

export async function compose(config: Config, database: OpenDatabase, log: Log): Promise<System> {
  const { db, pool, connection } = database
  const clock = systemClock
  const metrics = createMetrics(pool)
  const listener = await createListener({ connection, log })
  const feed = createChangeFeed(listener)

  const identity = createIdentity({ db, clock, config })
  const accounts = createAccounts({ db, clock, identity, config })
  const events = createEventStreams({
    feed,
    authenticate: accounts.authenticate,
    onOpened: metrics.streamOpened,
    onClosed: metrics.streamClosed,
  })

  return {
    clock,
    listener,
    metrics,
    routes: [...accounts.routes],
    plugins: [identity.plugin],
    authenticate: accounts.authenticate,
    events,
    jobs: [...accounts.jobs],
  }
}
