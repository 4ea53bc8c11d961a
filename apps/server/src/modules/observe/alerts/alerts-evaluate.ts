import { sql } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { advisoryLockClass } from '../../../platform/db/migrate.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { findAddressee } from '../../accounts/index.ts'
import { alertMail, type Mail } from '../../mail/index.ts'
import { type AlertEvent, alertRules, decideAlert, firstAlertState, isMailRecent } from './alert-state.ts'
import {
  type AlertChange,
  type AlertEventRow,
  type AlertReading,
  insertAlertEvents,
  listAlertReadings,
  saveAlertStates,
} from './alert-store.ts'

/** An instance that is watched: it should run, and is not on its way there. */
export interface WatchedInstance {
  instanceId: string
  /** `master`, `worker-1`, … */
  name: string
  clusterId: string
  clusterName: string
  owner: string
}

export interface AlertDeps {
  db: Db
  clock: Clock
  mail: Pick<Mail, 'post'>
  /** Those of the instances that are watched: one that was stopped on purpose is not. */
  listWatched(trx: Trx, instanceIds: readonly string[]): Promise<WatchedInstance[]>
}

/** Second half of the advisory lock that rules are evaluated under; partitions have 2. */
const alertsLock = 3
/** How long the history is kept. ms */
const eventsKeptMs = 90 * 24 * 3600_000
/** After this long nobody is helped by a mail of it, ms. */
const usableMs = 6 * 3600_000

/**
 * Evaluates every rule for all clusters, each minute. What is decided, its history and its mails are one transaction,
 * so a worker that is killed has done all of it or nothing; of two that run at once the second finds nothing to do.
 */
export function alertsEvaluate(deps: AlertDeps): Job {
  return defineJob({
    name: 'alerts.evaluate',
    payload: z.unknown(),
    cron: '* * * * *',
    maxAttempts: 1, // the next minute does what this one could not
    async run(_, { log }) {
      const mails = await deps.db.transaction().execute((trx) => evaluate(deps, trx))
      if (mails > 0) log.info({ mails }, 'alerts fired or cleared')
    },
  })
}

/** The number of mails. */
async function evaluate({ clock, mail, listWatched }: AlertDeps, trx: Trx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${advisoryLockClass}, ${alertsLock})`.execute(trx)
  const now = clock.now()
  const readings = await listAlertReadings(trx, now)
  const watched = new Map(
    (await listWatched(trx, [...new Set(readings.map(({ instanceId }) => instanceId))])).map((one) => [
      one.instanceId,
      one,
    ]),
  )
  const changes: AlertChange[] = []
  const events: AlertEventRow[] = []
  let mails = 0
  for (const reading of readings) {
    const { series, instanceId, rule, value, before } = reading
    const of = watched.get(instanceId)
    if (!of) {
      if (before) changes.push({ series, rule, after: undefined })
      continue
    }
    const { after, event, mail: kind } = decideAlert(alertRules[rule], before ?? firstAlertState(now), value, now)
    const isOver = after.state === 'ok' && !isMailRecent(after.mailedAt, now)
    changes.push({ series, rule, after: isOver ? undefined : after })
    const { owner, clusterId } = of
    if (event) events.push({ owner, clusterId, instanceId, rule, kind: event, value: measureOf(reading), at: now })
    if (kind && (await post(mail, trx, of, reading, kind, now))) mails += 1
  }
  await saveAlertStates(trx, changes)
  await insertAlertEvents(trx, events)
  const told = new Map(events.map(({ owner, clusterId }) => [clusterId, owner]))
  for (const [id, account] of told) await publishChange(trx, { account, topic: 'cluster', id })
  await trx
    .deleteFrom('alert_events')
    .where('at', '<', new Date(now.getTime() - eventsKeptMs))
    .execute()
  return mails
}

/** 0..1; null where the rule has no measure. */
function measureOf({ rule, value }: AlertReading): number | null {
  return rule === 'offline' ? null : (value ?? null)
}

/** False where the owner has no address. */
async function post(
  mail: AlertDeps['mail'],
  trx: Trx,
  { owner, clusterName, name }: WatchedInstance,
  reading: AlertReading,
  event: AlertEvent,
  now: Date,
): Promise<boolean> {
  const to = await findAddressee(trx, owner)
  if (!to) return false
  const { rule } = reading
  const percent = Math.floor((measureOf(reading) ?? 0) * 100)
  const params = {
    account: to.name,
    cluster: clusterName,
    instance: name,
    rule,
    event,
    percent,
    minutes: alertRules[rule].forMinutes,
  }
  const usableUntil = new Date(now.getTime() + usableMs)
  await mail.post(trx, { kind: alertMail, params, userid: owner, to: to.email, locale: to.locale, usableUntil })
  return true
}
