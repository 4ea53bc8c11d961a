import type { Locale } from '@atoll/contract/wire'
import type { Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findDid, getLocale, type HoldRow, listClosings, lockOperated, updateHold } from '../../accounts/index.ts'
import { countBackups } from '../../backups/index.ts'
import { type Billing, payOut, readUnsettled } from '../../billing/index.ts'
import { type Clusters, listClusterFigures } from '../../clusters/index.ts'
import { type Domains, listDomains } from '../../domains/index.ts'
import { isMailWaiting } from '../../mail/index.ts'
import { reminderMs } from '../closing-dates.ts'
import { type ClosingDeps, findClosing, tellOwner } from '../closing-service.ts'
import { decideEnding } from '../decide-ending.ts'
import { type EraseDeps, eraseAccount, pseudonymOf } from '../erase-account.ts'
import { dropDocuments, findErasure, noteErasure } from '../stores/erasure-store.ts'

export interface ClosingsEndDeps extends EraseDeps, Pick<ClosingDeps, 'mail'> {
  clusters: Pick<Clusters, 'end'>
  billing: Pick<Billing, 'endSales' | 'settleUsage'>
  domains: Pick<Domains, 'endOf'>
  endBackups(trx: Trx, owner: string): Promise<void>
  /** Has this deployment backed up soon, with the list of who was erased; nothing where it has no backup. */
  backUp(trx: Trx): Promise<void>
  /** Every invoice on paper, which is kept: what is sealed holds them. */
  listInvoices(userid: string, locale: Locale): AsyncIterable<unknown>
}

/** A mail about the end helps for so long, ms. */
const mailMs = 24 * 60 * 60_000

/**
 * Ends accounts that close, each minute, by one step each (decide-ending.ts). It holds no state but what it reads, so
 * that it may be killed anywhere and run twice; one that fails keeps no other from its end.
 */
export function closingsEnd(deps: ClosingsEndDeps): Job {
  return defineTimedJob({
    name: 'account.closings',
    lane: 'own',
    waits: 'deadline',
    cron: '* * * * *',
    async run() {
      const failures: unknown[] = []
      const before = new Date(deps.clock.now().getTime() + reminderMs)
      for (const hold of await listClosings(deps.db, before)) {
        try {
          await takeStep(deps, hold)
        } catch (error) {
          failures.push(error)
        }
      }
      await dropDocuments(deps.db, deps.clock.now())
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts did not end`)
    },
  })
}

async function takeStep(deps: ClosingsEndDeps, { id, account_id: userid, held_at, until }: HoldRow): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const end = until ?? now
  const noted = await findErasure(db, userid)
  // A restore brought it back after its end: its money was settled then.
  const isPaidOut = (await findDid(db, userid)) === pseudonymOf(userid)
  const clusters = await listClusterFigures(db, userid)
  const living = clusters.length + (await countBackups(db, userid)) + (await listDomains(db, userid)).length
  const step = decideEnding({
    now,
    until: end,
    living,
    ...(await readUnsettled(db, userid)),
    isReminded: (noted?.reminded_at ?? null) !== null,
    isBegun: (noted?.begun_at ?? null) !== null,
    isMailWaiting: await isMailWaiting(db, userid),
  })
  const inOne = (act: (trx: Trx) => Promise<void>) => db.transaction().execute(act)
  /** Once; and not of an account that was kept since these facts were read, or that another worker was faster with. */
  const once = (mark: 'reminded_at' | 'begun_at', act: (trx: Trx) => Promise<void>) =>
    inOne(async (trx) => {
      await lockOperated(trx, userid)
      const isMarked = ((await findErasure(trx, userid))?.[mark] ?? null) !== null
      if (!isMarked && (await findClosing(trx, userid))?.id === id) await act(trx)
    })
  if (step === 'remind')
    await once('reminded_at', async (trx) => {
      await noteErasure(trx, userid, { reminded_at: now })
      await tellOwner(deps, trx, userid, { about: 'closingSoon', until: end, usableUntil: end })
    })
  if (step === 'begin')
    await once('begun_at', async (trx) => {
      await deps.billing.endSales(trx, { userid, from: isPaidOut ? null : held_at })
      await noteErasure(trx, userid, { begun_at: now })
      const usableUntil = new Date(now.getTime() + mailMs)
      await tellOwner(deps, trx, userid, { about: 'closed', until: now, usableUntil })
    })
  if (step === 'destroy') {
    await inOne((trx) => deps.domains.endOf(trx, userid))
    await inOne((trx) => deps.endBackups(trx, userid))
    for (const { clusterId } of clusters) await endUnlessMoving(deps, { owner: userid, clusterId })
  }
  if (step === 'bill') await inOne((trx) => deps.billing.settleUsage(trx, { userid, isWaived: isPaidOut }))
  if (step === 'payOut') await inOne((trx) => payOut(deps, trx, { userid, isPaidOut }))
  if (step === 'erase') {
    for await (const _file of deps.listInvoices(userid, await getLocale(db, userid)));
    await eraseAccount(deps, { accountId: userid, at: end })
    await inOne(async (trx) => {
      await updateHold(trx, id, { released_at: now })
      await deps.backUp(trx)
    })
  }
}

/** One that goes already, or is on its way somewhere, is refused and looked at by the next run. */
async function endUnlessMoving(
  { clusters }: Pick<ClosingsEndDeps, 'clusters'>,
  order: { owner: string; clusterId: string },
): Promise<void> {
  try {
    await clusters.end(order)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
