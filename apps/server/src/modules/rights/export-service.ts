import { type AccountExport, exportKeptDays } from '@atoll/contract/accounts'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { type ExportRow, findNewestExport, insertExport } from './stores/export-store.ts'

export const exportMakeJob = 'account.export'

const dayMs = 24 * 60 * 60_000
export const exportKeptMs = exportKeptDays * dayMs

export function toAccountExport({ id, state, asked_at, size, until_at }: ExportRow): AccountExport {
  return {
    exportId: id,
    state,
    askedAt: asked_at.toISOString(),
    size: state === 'ready' ? size : null,
    until: state === 'ready' ? (until_at?.toISOString() ?? null) : null,
  }
}

/** The newest archive of an account; of those that `askedBy` asked for. */
export async function describeExport(db: Db, userid: string, askedBy?: string): Promise<AccountExport | null> {
  const row = await findNewestExport(db, userid, askedBy)
  return row ? toAccountExport(row) : null
}

/** Asks for an archive of `userid`'s data: one at a time, and by the owner one a day. */
export async function askExport(
  { db, clock }: { db: Db; clock: Clock },
  { userid, caller, reason }: { userid: string; caller: Caller; reason?: string },
): Promise<string> {
  const now = clock.now()
  const id = newId('ex')
  return await db.transaction().execute(async (trx) => {
    const newest = await findNewestExport(trx, userid)
    const isOwner = caller.userid === userid
    if (isOwner && newest && newest.state !== 'failed' && now.getTime() - newest.asked_at.getTime() < dayMs)
      refuse('exportedToday')
    if (!(await insertExport(trx, { id, account_id: userid, asked_by: caller.userid, asked_at: now })))
      refuse('exportUnderWay')
    await record(trx, { caller, userid, isOwner, ...(reason !== undefined && { reason }) })
    await enqueueJob(trx, exportMakeJob, { id }, { key: `${exportMakeJob}:${id}` })
    await publishChange(trx, { account: userid, topic: 'account', id })
    return id
  })
}

async function record(
  trx: Trx,
  about: { caller: Caller; userid: string; isOwner: boolean; reason?: string },
): Promise<void> {
  const { caller, userid, isOwner, reason } = about
  const source = { actor: caller, ip: caller.ip }
  if (isOwner)
    return await recordAudit(trx, {
      ...source,
      action: 'account.export',
      object: { kind: 'account', id: userid, owner: userid },
    })
  await recordAudit(trx, {
    ...source,
    action: 'support.exportData',
    object: { kind: 'support', id: userid, owner: userid },
    after: { reason: reason ?? '' },
  })
}
