import {
  announcementsNow,
  announcementsPage,
  announcementUpdate,
  announcementWrite,
} from '@atoll/contract/announcements'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { once } from '../../../platform/requests/index.ts'
import type { LiveCatalog } from '../../catalog/index.ts'
import { listRegionsOf } from '../../clusters/index.ts'
import { updateAnnouncement, writeAnnouncement } from '../announcement-service.ts'
import { announcementsQuery, listLivingAnnouncements } from '../announcement-store.ts'
import { describeAnnouncements, regionsOf, toPublic } from '../describe.ts'

/** How long before its start maintenance is shown, ms. */
const aheadMs = 3 * 24 * 60 * 60_000

/** Calls about announcements: what touches an account now, all of them, writing one, saying more. */
export function announcementRoutes(deps: { db: Db; clock: Clock; catalog: LiveCatalog }): Route[] {
  const { db, clock, catalog } = deps
  const regions = () => regionsOf(catalog.current())
  return [
    implement(announcementsNow, async (_, { account: { userid } }) => {
      const living = await listLivingAnnouncements(db, new Date(clock.now().getTime() + aheadMs))
      if (living.length === 0) return []
      const own = new Set(await listRegionsOf(db, userid))
      const meant = living.filter((one) => one.regions.length === 0 || one.regions.some((region) => own.has(region)))
      return (await describeAnnouncements(db, meant, regions())).map(toPublic)
    }),
    implement(announcementsPage, async (body) => {
      const { rows, figures } = await readPage(announcementsQuery(db), body)
      const announcements = await describeAnnouncements(db, rows, regions())
      return { announcements, regions: regions(), ...figures }
    }),
    implement(announcementWrite, (body, { account: caller }) =>
      once(deps, { owner: caller.userid, call: announcementWrite.name, body }, async (trx) => ({
        announcementId: await writeAnnouncement(trx, body, { caller, now: clock.now(), catalog: catalog.current() }),
      })),
    ),
    implement(announcementUpdate, (body, { account: caller }) =>
      once(deps, { owner: caller.userid, call: announcementUpdate.name, body }, async (trx) => {
        await updateAnnouncement(trx, body, { caller, now: clock.now() })
        return {}
      }),
    ),
  ]
}
