import { abuseClose, abuseFind, abusePage, abuseReport } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { once } from '../../../platform/requests/index.ts'
import { describeHolders, describeReports, endReport, findHolders, writeReport } from '../report-service.ts'
import { reportsQuery } from '../report-store.ts'

/** Calls of the abuse desk: who had a host or an address, and reports. */
export function abuseRoutes(deps: { db: Db; clock: Clock }): Route[] {
  const { db, clock } = deps
  return [
    implement(abuseFind, async ({ what, at }) => {
      const holders = await findHolders(db, { what, at: at === undefined ? undefined : new Date(at) })
      return { holders: await describeHolders(db, holders) }
    }),
    implement(abusePage, async (body) => {
      const { rows, figures } = await readPage(reportsQuery(db), body)
      return { reports: await describeReports(db, rows), ...figures }
    }),
    implement(abuseReport, (body, { account: caller }) =>
      once(deps, { owner: caller.userid, call: abuseReport.name, body }, (trx) =>
        writeReport(trx, body, { caller, now: clock.now() }),
      ),
    ),
    implement(abuseClose, (body, { account: caller }) =>
      once(deps, { owner: caller.userid, call: abuseClose.name, body }, async (trx) => {
        await endReport(trx, body, { caller, now: clock.now() })
        return {}
      }),
    ),
  ]
}
