import { hostname } from 'node:os'
import {
  type CheckWatch,
  createCheckWatch,
  createTeller,
  standardConditions,
  startAlarmWatch,
  startHeartbeatPing,
} from '../modules/alarms/index.ts'
import { countDisputes, countParked } from '../modules/billing/index.ts'
import { readCatalogInUse } from '../modules/catalog/index.ts'
import { describeSilent } from '../modules/dns/index.ts'
import { allChecks, doctorConfigOf, examine, openContext } from '../modules/doctor/index.ts'
import { readSelfBackupAge } from '../modules/self-backup/index.ts'
import { describeCareful } from '../platform/careful/index.ts'
import { checkQueue } from '../platform/heartbeat/index.ts'
import { countJobs } from '../platform/jobs/index.ts'
import type { Ticker } from '../platform/ticker.ts'
import type { Base, Modules } from './modules.ts'

/** These have conditions of their own, or read all of a log that grows. */
const checkedElsewhere = ['own-backup-age', 'catalogue', 'name-servers', 'vault-room', 'audit', 'ledger']

/** Looks each minute and tells the operator, where somebody is named; undefined: nobody is. */
export function startAlarms(base: Base, { clusters, dns, mail, vault }: Modules): Ticker | undefined {
  const { db, pool, clock, config, log, catalog } = base
  if (config.operatorEmail === undefined && config.operatorWebhook === undefined) return undefined
  const conditions = standardConditions({
    dataDir: config.dataDir,
    isBackedUp: config.selfBackup !== undefined,
    now: () => clock.now(),
    checkQueue: () => checkQueue(db),
    careful: () => describeCareful(db),
    selfBackupAge: () => readSelfBackupAge(db, clock.now()),
    countFailedJobs: async () => (await countJobs(pool)).failed,
    catalogProblem: catalog.problem,
    pausedSweep: () => clusters.describePausedSweep(db),
    vaultRoom: () => vault.describeRoom(),
    nameServers: async () => describeSilent(await dns.nameServersUp.look()),
    disputes: () => countDisputes(db),
    parkedAccounts: () => countParked(db),
  })
  const checks = watchChecks(base)
  const watch = startAlarmWatch({
    db,
    clock,
    log,
    conditions: [...conditions, ...checks.conditions],
    host: hostname(),
    tell: createTeller({ ...config, log, sendMail: mail.sendToOperator }),
  })
  const checking = config.roles.includes('worker') ? checks.start(log) : undefined
  return { stop: async () => void (await Promise.all([watch.stop(), checking?.stop()])) }
}

function watchChecks({ db, pool, config }: Base): CheckWatch {
  const checks = allChecks.filter(({ name }) => !checkedElsewhere.includes(name))
  const looked = doctorConfigOf(config)
  const context = openContext({ db, pool, config: looked })
  const patient = { db, pool, context, config: looked, readCatalog: () => readCatalogInUse(db, config) }
  return createCheckWatch(
    checks.map(({ name }) => name),
    async () => {
      // While the database is away each check that needs it fails, and all would be told when it is back.
      await pool.query('select 1')
      return (await examine(patient, { checks })).checks
    },
  )
}

/** Asks ATOLL_HEARTBEAT_URL, where it is set, while nothing keeps this process and the queue from working. */
export function startPing(
  { db, config: { heartbeatUrl }, log }: Base,
  findProblem: () => Promise<string | undefined>,
): Ticker | undefined {
  if (heartbeatUrl === undefined) return undefined
  return startHeartbeatPing(heartbeatUrl, {
    log,
    findProblem: async () => (await findProblem()) ?? (await checkQueue(db)),
  })
}
