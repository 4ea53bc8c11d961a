/** How the deployment fares, put together for the page System from what each part says of itself. */
import { type JobArea, jobAreas, type ProcessRow, type SystemView } from '@atoll/contract/staff'
import { sql } from 'kysely'
import { findCareful } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { checkQueue, listHeartbeats } from '../../../platform/heartbeat/index.ts'
import { countTasks, listFailedJobs } from '../../../platform/jobs/index.ts'
import { summariseCertificates } from '../../certificates/index.ts'
import { countSent, listUndelivered } from '../../mail/index.ts'
import { readSelfBackupAge, readSelfProofAge } from '../../self-backup/index.ts'
import type { VaultMeasured } from '../../vault/index.ts'

export interface SystemDeps {
  db: Db
  clock: Clock
  config: {
    selfBackup: { schedule: string | undefined } | undefined
    smtpUrl: string | undefined
    operatorEmail: string | undefined
  }
  vault: { measure(): Promise<VaultMeasured> }
  dns: { nameServersUp: { last(): readonly { server: string; isUp: boolean }[] } }
  mail: { sendToOperator(mail: { to: string; subject: string; text: string }): Promise<void> }
}

const dayMs = 24 * 60 * 60_000
const roleOrder = ['api', 'worker', 'edge', 'dns', 'vault']
/** Of what careful mode keeps from running. */
const heldAreas: readonly JobArea[] = ['clusters', 'billing', 'mail']

/** By the first part of a job's name. */
const areas: Readonly<Record<string, JobArea>> = {
  cluster: 'clusters',
  agent: 'clusters',
  billing: 'billing',
  payment: 'billing',
  payments: 'billing',
  card: 'billing',
  usage: 'billing',
  sandbox: 'billing',
  backup: 'backups',
  self: 'backups',
  mail: 'mail',
  domain: 'domains',
  zone: 'domains',
  certificate: 'domains',
  credential: 'domains',
}

export function areaOf(job: string): JobArea {
  return areas[job.split('.')[0] ?? ''] ?? 'other'
}

export async function describeSystem({ db, clock, config, vault, dns }: SystemDeps): Promise<SystemView> {
  const now = clock.now()
  const [processes, jobs, database, ownBackup, certificates, mail, { all }] = await Promise.all([
    listProcessRows(db),
    describeJobs(db),
    describeDatabase(db),
    describeOwnBackup({ db, config }, now),
    summariseCertificates(db),
    describeMail({ db, config }, now),
    vault.measure(),
  ])
  return {
    processes,
    ...jobs,
    database,
    ownBackup,
    certificates,
    mail,
    nameServers: dns.nameServersUp.last().map(({ server, isUp }) => ({ server, isUp })),
    vault: {
      liveBytes: all.bytes.live,
      trashBytes: all.bytes.trash,
      badFiles: all.badFiles,
      isAtReserve: all.isAtReserve,
      scrubLateSeconds: all.scrubLateSeconds,
    },
  }
}

async function listProcessRows(db: Db): Promise<ProcessRow[]> {
  const [beats, queue, careful] = await Promise.all([listHeartbeats(db), checkQueue(db), findCareful(db)])
  const rows = beats.flatMap((beat) =>
    (beat.roles ?? '').split(',').map((role): ProcessRow => {
      const state = () => {
        if (beat.isSilent) return 'silent'
        if (role === 'worker' && queue !== undefined) return 'waits'
        return role === 'worker' && careful ? 'careful' : 'ready'
      }
      return {
        key: `${beat.process} ${role}`,
        role,
        host: beat.host,
        version: beat.version,
        state: state(),
        startedAt: beat.started_at?.toISOString() ?? null,
        beatAt: beat.at.toISOString(),
        diskTotal: beat.disk_total,
        diskFree: beat.disk_free,
      }
    }),
  )
  const rankOf = ({ role, host }: ProcessRow) => `${roleOrder.indexOf(role)} ${host} `
  return rows.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
}

/** Of what a job said at its end: a line for a person. */
const longestProblem = 300

async function describeJobs(db: Db): Promise<Pick<SystemView, 'queues' | 'failedJobs'>> {
  const [tasks, failed, careful] = await Promise.all([countTasks(db), listFailedJobs(db), findCareful(db)])
  const queues = jobAreas.map((area) => {
    const own = tasks.filter(({ name }) => areaOf(name) === area)
    const sum = (part: 'waiting' | 'running' | 'failed') => own.reduce((total, task) => total + task[part], 0)
    return {
      area,
      waiting: sum('waiting'),
      running: sum('running'),
      failed: sum('failed'),
      oldestSeconds: Math.max(0, ...own.map(({ oldestDueSeconds }) => oldestDueSeconds)),
      isHeld: careful !== undefined && heldAreas.includes(area),
    }
  })
  return {
    queues,
    failedJobs: failed.map(({ jobId, name, attempts, problem, at }) => ({
      jobId,
      name,
      area: areaOf(name),
      attempts,
      at: at.toISOString(),
      problem: problem?.split('\n')[0]?.slice(0, longestProblem) ?? null,
    })),
  }
}

async function describeDatabase(db: Db): Promise<SystemView['database']> {
  const { rows } = await sql<SystemView['database']>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "maxConnections",
      (select max(extract(epoch from coalesce(replay_lag, interval '0')))::float8 from pg_stat_replication)
        as "behindSeconds",
      coalesce((select greatest(max(extract(epoch from now() - xact_start)), 0)::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()), 0) as "oldestTransactionSeconds"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL said nothing of itself')
  return row
}

async function describeOwnBackup(
  { db, config: { selfBackup } }: Pick<SystemDeps, 'db' | 'config'>,
  now: Date,
): Promise<SystemView['ownBackup']> {
  const [age, proof] = await Promise.all([readSelfBackupAge(db, now), readSelfProofAge(db, now)])
  const at = (seconds: number | undefined) =>
    seconds === undefined ? null : new Date(now.getTime() - seconds * 1000).toISOString()
  const canRun = selfBackup?.schedule !== undefined
  return { isSetUp: selfBackup !== undefined, canRun, takenAt: at(age), provenAt: at(proof) }
}

async function describeMail(
  { db, config: { smtpUrl } }: Pick<SystemDeps, 'db' | 'config'>,
  now: Date,
): Promise<SystemView['mail']> {
  const [counts, undelivered] = await Promise.all([
    countSent(db, new Date(now.getTime() - dayMs)),
    listUndelivered(db, new Date(now.getTime() - 7 * dayMs)),
  ])
  return {
    server: smtpUrl === undefined ? null : new URL(smtpUrl).hostname,
    sentToday: counts.sent,
    waiting: counts.waiting,
    undelivered: undelivered.map(({ id, kind, recipient, state, failure, created_at, ended_at, canResend }) => ({
      mailId: id,
      kind,
      recipient,
      state,
      canResend: Boolean(canResend),
      problem: failure,
      at: (ended_at ?? created_at).toISOString(),
    })),
  }
}

const address = /[^\s<>]+@[^\s<>]+/g

/** Without addresses of customers, which the answers of mail servers name too. */
export function hideRecipients(view: SystemView): SystemView {
  const undelivered = view.mail.undelivered.map((mail) => {
    return { ...mail, recipient: '…', problem: mail.problem?.replaceAll(address, '…') ?? null }
  })
  return { ...view, mail: { ...view.mail, undelivered } }
}
