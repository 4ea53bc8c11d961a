import { z } from 'zod'
import { listDoubts } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { checkQueue, listProcesses } from '../../../platform/heartbeat/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import type { LiveCatalog } from '../../catalog/index.ts'
import { countAnswering } from '../../clusters/index.ts'
import { statusMakeJob } from '../announcement-service.ts'
import { listAnnouncementsSince } from '../announcement-store.ts'
import { describeAnnouncements, regionsOf, toPublic } from '../describe.ts'
import { decideStatus, type Observed } from './decide-status.ts'
import { countSeen, forgetDays, listDays, putReport, type Seen, type StatusReport } from './status-store.ts'

export interface StatusMakeDeps {
  db: Db
  clock: Clock
  catalog: LiveCatalog
  /** Which of our name servers are silent, as far as is known. */
  silentNameServers(): string | undefined
  /** Why the vault is too full for more copies; undefined: it is not. */
  vaultProblem(): Promise<string | undefined>
}

/** Days that the page shows. */
export const shownDays = 90
const dayMs = 24 * 60 * 60_000

/** Looks each minute, counts what it saw, and writes the one row that every process shows. */
export function statusMake(deps: StatusMakeDeps): Job {
  return defineJob({
    name: statusMakeJob,
    lane: 'own',
    // It only tells how things are.
    waits: 'never',
    payload: z.unknown(),
    cron: '* * * * *',
    maxAttempts: 1,
    async run() {
      await makeReport(deps)
    },
  })
}

export async function makeReport(deps: StatusMakeDeps): Promise<StatusReport> {
  const { db, clock } = deps
  const at = clock.now()
  const since = new Date(at.getTime() - shownDays * dayMs)
  const regions = regionsOf(deps.catalog.current())
  const rows = await listAnnouncementsSince(db, since)
  const announcements = (await describeAnnouncements(db, rows, regions)).map(toPublic)
  const isNow = ({ startsAt, endedAt }: StatusReport['announcements'][number]) =>
    endedAt === null && Date.parse(startsAt) <= at.getTime()
  const announced = announcements.filter(isNow).map(({ components, impact, regions: named }) => ({
    components,
    impact,
    regions: named.map(({ region }) => region),
  }))
  const seen = decideStatus({ ...(await observe(deps)), announced })
  return await db.transaction().execute(async (trx) => {
    await countSeen(trx, seen, at)
    await forgetDays(trx, since)
    const days = await listDays(trx, since)
    const daysOf = ({ component, region }: Seen) =>
      days
        .filter((day) => day.component === component && day.region === region)
        .map(({ day, works, limited, down }) => ({ day, works, limited, down }))
    const parts = seen.map((each) => ({
      component: each.component,
      state: each.state,
      days: daysOf(each),
      region: each.region === '' ? null : (regions.find(({ region }) => region === each.region)?.title ?? null),
    }))
    const report = { at: at.toISOString(), parts, announcements }
    await putReport(trx, report)
    return report
  })
}

async function observe(deps: StatusMakeDeps): Promise<Omit<Observed, 'announced'>> {
  const { db } = deps
  const [processes, queueProblem, doubts, answering, vaultProblem] = await Promise.all([
    listProcesses(db),
    checkQueue(db),
    listDoubts(db),
    countAnswering(db),
    deps.vaultProblem(),
  ])
  return {
    roles: new Set(processes.flatMap(({ roles }) => roles?.split(',') ?? [])),
    isQueueAlive: queueProblem === undefined,
    isNameServerSilent: deps.silentNameServers() !== undefined,
    isVaultFull: vaultProblem !== undefined,
    arePaymentsWaiting: doubts.some(({ about }) => about === 'careful' || about === 'gateway'),
    regions: regionsOf(deps.catalog.current()).map(
      ({ region }) => answering.find((one) => one.region === region) ?? { region, running: 0, offline: 0 },
    ),
  }
}
