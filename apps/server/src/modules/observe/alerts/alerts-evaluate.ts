import { alertKindOf } from '@atoll/contract/observe'
import { sql } from 'kysely'
import { findHold } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { advisoryLockClass } from '../../../platform/db/migrations/migrate.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { findAddressee } from '../../accounts/index.ts'
import { alertMail, type Mail } from '../../mail/index.ts'
import { recordNews } from '../../news/index.ts'
import type { OwnedInstance } from './alert-reads.ts'
import { type RuleChoice, readLeast, readRules, ruleOf, scaleOf } from './alert-rules.ts'
import { type AlertEvent, decideAlert, firstAlertState, isMailRecent } from './alert-state.ts'
import {
  type AlertChange,
  type AlertEventRow,
  type AlertReading,
  type AlertSource,
  insertAlertEvents,
  listAlertReadings,
  listSourcedReadings,
  noteLateMail,
  type SourcedRule,
  saveAlertStates,
} from './alert-store.ts'

/** An instance that is watched: it should run, and is not on its way there. */
export interface WatchedInstance extends OwnedInstance {
  owner: string
}

export interface AlertDeps {
  db: Db
  clock: Clock
  mail: Pick<Mail, 'post'>
  /** Whether a process runs that agents can report to. */
  isChannelServed(trx: Trx): Promise<boolean>
  /** Those of the instances that are watched: one that was stopped on purpose is not. */
  listWatched(trx: Trx, instanceIds: readonly string[]): Promise<WatchedInstance[]>
  /** Of the rules that samples do not cover. */
  sources: Record<SourcedRule, AlertSource>
}

/** Second half of the advisory lock that rules are evaluated under; partitions have 2. */
const alertsLock = 3
/** How long the history is kept. ms */
const eventsKeptMs = 90 * 24 * 3600_000
/** After this long nobody is helped by a mail of it, ms. */
const usableMs = 6 * 3600_000

/**
 * Evaluates every rule for all clusters, each minute. Decisions, their history and their mails are one transaction, so
 * a killed worker has done all of it or nothing; of two concurrent runs the second finds nothing to do.
 */
export function alertsEvaluate(deps: AlertDeps): Job {
  return defineTimedJob({
    name: 'alerts.evaluate',
    lane: 'own',
    waits: 'never',
    cron: '* * * * *',
    async run({ log }) {
      const mails = await deps.db.transaction().execute((trx) => evaluate(deps, trx))
      if (mails > 0) log.info({ mails }, 'alerts fired or cleared')
    },
  })
}

/** The number of mails. */
async function evaluate({ clock, mail, isChannelServed, listWatched, sources }: AlertDeps, trx: Trx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${advisoryLockClass}, ${alertsLock})`.execute(trx)
  const now = clock.now()
  const least = await readLeast(trx)
  const readings = await listAlertReadings(trx, now, { least, isServed: await isChannelServed(trx) })
  for (const [rule, source] of Object.entries(sources) as [SourcedRule, AlertSource][]) {
    readings.push(...(await listSourcedReadings(trx, now, { rule, least: least(rule), source })))
  }
  const watched = new Map(
    (await listWatched(trx, [...new Set(readings.map(({ instanceId }) => instanceId))])).map((one) => [
      one.instanceId,
      one,
    ]),
  )
  const book = await readRules(trx, [...new Set([...watched.values()].map(({ clusterId }) => clusterId))])
  const changes: AlertChange[] = []
  const events: AlertEventRow[] = []
  let mails = 0
  for (const reading of readings) {
    const { series, instanceId, rule, value, subject, before } = reading
    const of = watched.get(instanceId)
    const choice = of && book.of(of.clusterId, rule)
    if (!of || !choice?.isOn) {
      if (before) changes.push({ series, rule, after: undefined, subject })
      continue
    }
    const decision = decideAlert(ruleOf(rule, choice), before ?? firstAlertState(now), value, now)
    const { after, event, mail: kind } = decision
    const isOver = after.state === 'ok' && !isMailRecent(after.mailedAt, now)
    if (before || !isOver) changes.push({ series, rule, after: isOver ? undefined : after, subject })
    const { owner, clusterId } = of
    const measure = measureOf(reading)
    const isMailed = kind !== undefined && (await post(mail, trx, { of, reading, choice, event: kind, now }))
    const where = { clusterId, instanceId, rule, at: now }
    if (event) {
      const mailedAt = isMailed ? now : null
      const object = { id: clusterId, name: of.clusterName }
      const news = event === 'fired' ? 'alertFired' : 'alertCleared'
      await recordNews(trx, { userid: owner, at: now, kind: news, object, detail: rule })
      events.push({ ...where, owner, kind: event, value: measure, subject, mailedAt })
    }
    if (isMailed && !event) await noteLateMail(trx, where)
    if (isMailed) mails += 1
  }
  await saveAlertStates(trx, changes)
  await insertAlertEvents(trx, events)
  const changed = new Map(events.map(({ owner, clusterId }) => [clusterId, owner]))
  for (const [id, account] of changed) await publishChange(trx, { account, topic: 'cluster', id })
  // Alerts wait for nothing; the end of their history does, as to a clock that jumped all of it is old.
  if (!(await findHold(trx, { waits: 'deadline' })))
    await trx
      .deleteFrom('alert_events')
      .where('at', '<', new Date(now.getTime() - eventsKeptMs))
      .execute()
  return mails
}

/** Null where the rule has no measure. */
function measureOf({ rule, value }: AlertReading): number | null {
  return alertKindOf(rule).unit === null ? null : (value ?? null)
}

interface Told {
  of: WatchedInstance
  reading: AlertReading
  choice: RuleChoice
  event: AlertEvent
  now: Date
}

/** False where the owner has no address, or does without such mails. */
async function post(
  mail: AlertDeps['mail'],
  trx: Trx,
  { of: { owner, clusterId, clusterName, name }, reading, choice, event, now }: Told,
): Promise<boolean> {
  const to = await findAddressee(trx, owner)
  if (!to || to.mailsOff.includes('alerts')) return false
  const { rule, subject } = reading
  const params = {
    account: to.name,
    cluster: clusterName,
    instance: name,
    rule,
    event,
    subject: subject ?? '',
    percent: Math.floor((measureOf(reading) ?? 0) * scaleOf(rule)),
    threshold: choice.threshold ?? 0,
    minutes: choice.forMinutes,
    path: `/cluster/${clusterId}?tab=monitoring`,
  }
  const usableUntil = new Date(now.getTime() + usableMs)
  const order = { userid: owner, to: to.email, locale: to.locale, optional: 'alerts', usableUntil } as const
  await mail.post(trx, { kind: alertMail, params, ...order })
  return true
}
