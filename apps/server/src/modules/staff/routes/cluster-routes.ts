import {
  staffClusterDiagnostics,
  staffClusterGiveUp,
  staffClusterRetry,
  staffClusterShow,
  staffClustersPage,
} from '@atoll/contract/staff'
import type { Locale } from '@atoll/contract/wire'
import { implement, type Route } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAddressee } from '../../accounts/index.ts'
import type { Billing } from '../../billing/index.ts'
import {
  type Clusters,
  findClusterOwner,
  listInstallLogs,
  readStaffClusters,
  toStaffCluster,
} from '../../clusters/index.ts'
import { findNameOfDid } from '../../identity/index.ts'
import { type Mail, staffMail } from '../../mail/index.ts'
import { recordStaff } from '../acts/record-staff.ts'
import { zipDiagnostics } from '../clusters/diagnostics.ts'
import { goOnLooking, type LookDeps } from '../customers/customer-look.ts'
import { tellStaff } from '../overview/attention-look.ts'

export interface ClusterRouteDeps extends LookDeps {
  clusters: Pick<Clusters, 'staff'>
  billing: Pick<Billing, 'giveTimeBack'>
}

/** How long it helps to know that an operation was given up, ms. */
const newsMs = 3 * 24 * 60 * 60_000

/** Calls about clusters of every customer. */
export function clusterRoutes(deps: ClusterRouteDeps): Route[] {
  const { db, clock, clusters } = deps

  /** One that the staff member said a reason for opening its owner today. */
  async function look(clusterId: string, caller: Caller) {
    const owner = (await findClusterOwner(db, clusterId)) ?? refuse('notFound', { object: 'cluster' })
    const { did, look: reason, waits } = await goOnLooking(deps, caller, owner)
    const person = { accountId: owner, userid: did, terminusName: await findNameOfDid(db, did) }
    return { owner, person, look: reason, waits }
  }
  async function looked(clusterId: string, caller: Caller, locale: Locale) {
    const { owner, look: reason, waits } = await look(clusterId, caller)
    if (!reason) return refuse(waits ? 'consentFirst' : 'reasonFirst')
    const cluster = (await clusters.staff.describe(clusterId, locale)) ?? refuse('notFound', { object: 'cluster' })
    return { owner, cluster }
  }

  return [
    implement(staffClustersPage, async ({ page, rowsPerPage, ...filter }, { locale }) => {
      const { rows, figures } = await readStaffClusters(db, filter, clock.now(), { page, rowsPerPage })
      return { clusters: rows.map((row) => toStaffCluster(row, locale)), ...figures }
    }),
    implement(staffClusterShow, async ({ clusterId }, { account, locale }) => {
      const { person, look: reason, waits } = await look(clusterId, account)
      if (!reason) return { person, look: null, waits, cluster: null }
      const cluster = (await clusters.staff.describe(clusterId, locale)) ?? refuse('notFound', { object: 'cluster' })
      return { person, look: { reason: reason.reason, since: reason.begun_at.toISOString() }, waits, cluster }
    }),
    implement(staffClusterRetry, async ({ clusterId }, { account, locale }) => {
      const { owner, cluster } = await looked(clusterId, account, locale)
      if (!cluster.mayRetry) refuse('nothingStuck')
      await clusters.staff.retry({ clusterId, owner }, async (trx) => {
        await record(trx, account, 'support.retry', { owner, name: cluster.name })
      })
      return {}
    }),
    implement(staffClusterGiveUp, async ({ clusterId, text, requestId }, { account, locale }) => {
      const { owner } = await looked(clusterId, account, locale)
      await clusters.staff.giveUp({ clusterId, owner, text, requestId }, async (trx, { name, lostSince }) => {
        await record(trx, account, 'support.giveUp', { owner, name, text })
        if (lostSince) await deps.billing.giveTimeBack(trx, { userid: owner, clusterId, from: lostSince })
        await mailOwner(trx, { owner, clusterId, name, text, givesBack: lostSince !== undefined })
      })
      return {}
    }),
    implement(staffClusterDiagnostics, async ({ clusterId }, { account, locale }) => {
      const { owner, cluster } = await looked(clusterId, account, locale)
      await db.transaction().execute((trx) => record(trx, account, 'support.diagnose', { owner, name: cluster.name }))
      return zipDiagnostics(cluster, await listInstallLogs(db, clusterId), clock.now())
    }),
  ]

  async function mailOwner(
    trx: Trx,
    about: { owner: string; clusterId: string; name: string; text: string; givesBack: boolean },
  ): Promise<void> {
    const { owner, clusterId, name, text, givesBack } = about
    const addressee = await findAddressee(trx, owner)
    if (!addressee) return
    await deps.mail.post(trx, {
      kind: staffMail,
      params: { event: 'gaveUp', cluster: name, clusterId, said: text, givesBack },
      userid: owner,
      to: addressee.email,
      locale: addressee.locale,
      usableUntil: new Date(clock.now().getTime() + newsMs),
    })
  }
}

/** Records an act on a cluster; the pages of staff load again. */
async function record(
  trx: Trx,
  caller: Caller,
  action: 'support.retry' | 'support.giveUp' | 'support.diagnose',
  { owner, name, text }: { owner: string; name: string; text?: string },
): Promise<void> {
  await recordStaff(trx, action, { owner, caller, facts: { cluster: name, ...(text && { reason: text }) } })
  await tellStaff(trx)
}
