/** Items of the deployment itself that need a person, with the thresholds of the operator's design (rule 7). */
import type { Attention, AttentionSource } from '../../../platform/attention/index.ts'
import { listHeartbeats } from '../../../platform/heartbeat/index.ts'
import { summariseCertificates } from '../../certificates/index.ts'
import { readSelfBackupAge, readSelfProofAge } from '../../self-backup/index.ts'
import { findLateCommands } from '../stores/late-command-store.ts'
import type { SystemDeps } from '../system/system-view.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const oldestDrillMs = 30 * dayMs
const shortestCertificateMs = 21 * dayMs
/** Own backups may be so many intervals old. */
const intervals = 3
const warnsAt = 0.8
const urgentAt = 0.95

/** How many of the `all` values of a field of cron it names. */
function countOf(field: string, all: number): number {
  return field.split(',').reduce((sum, part) => {
    const [range = '*', step = '1'] = part.split('/')
    const [from, to = from] = range.split('-')
    const span = range === '*' ? all : Number(to) - Number(from) + 1
    return sum + Math.ceil(span / Number(step))
  }, 0)
}

/** Mean time between two backups by their schedule (cron), an hour at least. */
function intervalOf(schedule: string): number {
  const [, hours = '*', days = '*', months = '*', weekdays = '*'] = schedule.split(' ')
  const share = Math.min(countOf(days, 31) / 31, countOf(weekdays, 7) / 7) * (countOf(months, 12) / 12)
  return dayMs / (countOf(hours, 24) * share)
}

type Deps = Pick<SystemDeps, 'db' | 'clock' | 'config' | 'dns'>

export function systemItems(deps: Deps): AttentionSource[] {
  const { db, clock, config, dns } = deps
  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  return [
    {
      kind: 'oldBackup',
      async find() {
        const schedule = config.selfBackup?.schedule
        const age = schedule === undefined ? undefined : await readSelfBackupAge(db, clock.now())
        if (schedule === undefined || age === undefined || age * 1000 <= intervals * intervalOf(schedule)) return []
        return [{ severity: 'critical', since: ago(age), facts: { count: 1 } }]
      },
    },
    {
      kind: 'oldDrill',
      async find() {
        const age = config.selfBackup && (await readSelfProofAge(db, clock.now()))
        if (age === undefined || age * 1000 <= oldestDrillMs) return []
        return [{ severity: 'warning', since: ago(age), facts: { count: 1 } }]
      },
    },
    { kind: 'lateCommands', find: () => findLateCommands(db, clock.now()) },
    { kind: 'fullDisk', find: () => findFullDisks(deps) },
    { kind: 'endingCertificates', find: () => findEnding(deps) },
    {
      kind: 'silentNameServers',
      async find() {
        const silent = dns.nameServersUp.last().filter(({ isUp }) => !isUp)
        const [first] = silent
        return first ? [{ severity: 'critical', facts: { count: silent.length, server: first.server } }] : []
      },
    },
  ]
}

/** By host; roles of one host share its disk. */
async function findFullDisks({ db }: Deps): Promise<Attention[]> {
  const used = new Map<string, number>()
  for (const { host, isSilent, disk_total: total, disk_free: free } of await listHeartbeats(db))
    if (!isSilent && host !== null && total && free !== null)
      used.set(host, Math.max(used.get(host) ?? 0, 1 - free / total))
  return [...used]
    .filter(([, share]) => share >= warnsAt)
    .map(([host, share]) => ({
      key: host,
      severity: share >= urgentAt ? 'critical' : 'warning',
      facts: { count: 1, host, percent: Math.floor(share * 100) },
    }))
}

/** The deployment's own certificates; those of customers are told to their owners. */
async function findEnding({ db, clock }: Deps): Promise<Attention[]> {
  const { own } = await summariseCertificates(db)
  const last = clock.now().getTime() + shortestCertificateMs
  const ending = own.filter(({ validUntil }) => validUntil !== null && Date.parse(validUntil) < last)
  const [first] = ending.toSorted((a, b) => ((a.validUntil ?? '') < (b.validUntil ?? '') ? -1 : 1))
  if (!first?.validUntil) return []
  return [{ severity: 'warning', facts: { count: ending.length, name: first.name, until: { at: first.validUntil } } }]
}
