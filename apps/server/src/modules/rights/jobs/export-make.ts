import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { findAddressee, getLocale } from '../../accounts/index.ts'
import { accountMail, type Mail } from '../../mail/index.ts'
import { type ArchiveSources, buildArchive } from '../archive.ts'
import { exportKeptMs, exportMakeJob } from '../export-service.ts'
import { dropExports, endMaking, failMaking, findExport } from '../stores/export-store.ts'

export interface ExportMakeDeps extends ArchiveSources {
  clock: Clock
  mail: Pick<Mail, 'post'>
}

const mostAttempts = 5
/** Far longer than all attempts take, ms: its job is gone, and the next may be asked for. */
const lostMs = 24 * 60 * 60_000

/**
 * Makes one archive. Each attempt builds it from the start and puts it down in one transaction with the mail, so that
 * a run that is killed leaves nothing; after the last attempt it is called failed, and can be asked for again.
 */
export function exportMake(deps: ExportMakeDeps): Job {
  const { db, clock } = deps
  return defineJob({
    name: exportMakeJob,
    lane: 'own',
    // It changes nothing but itself.
    waits: 'never',
    payload: z.object({ id: z.string() }),
    maxAttempts: mostAttempts,
    async run({ id }, { attempt }) {
      const row = await findExport(db, id)
      const userid = row?.state === 'making' ? row.account_id : undefined
      if (userid === undefined) return
      try {
        const at = clock.now()
        const bytes = await buildArchive(deps, { userid, locale: await getLocale(db, userid), at })
        const made = { ready_at: at, until_at: new Date(at.getTime() + exportKeptMs), size: bytes.length, bytes }
        await db.transaction().execute(async (trx) => {
          if (await endMaking(trx, id, { state: 'ready', ...made })) await tell(deps, trx, { userid, id, at })
        })
      } catch (error) {
        if (attempt >= mostAttempts)
          await db.transaction().execute(async (trx) => {
            await endMaking(trx, id, { state: 'failed' })
            await publishChange(trx, { account: userid, topic: 'account', id })
          })
        throw error
      }
    },
  })
}

async function tell(
  { mail }: ExportMakeDeps,
  trx: Trx,
  { userid, id, at }: { userid: string; id: string; at: Date },
): Promise<void> {
  await publishChange(trx, { account: userid, topic: 'account', id })
  const addressee = await findAddressee(trx, userid)
  if (!addressee) return
  const { email: to, name: account, locale, timeZone } = addressee
  const until = new Date(at.getTime() + exportKeptMs)
  await mail.post(trx, {
    kind: accountMail,
    userid,
    to,
    locale,
    usableUntil: until,
    params: { about: 'exportReady', account, until: until.toISOString(), timeZone },
  })
}

/** Removes archives whose seven days are over, and marks as failed those whose job is gone. */
export function exportSweep({ db, clock }: Pick<ExportMakeDeps, 'db' | 'clock'>): Job {
  return defineTimedJob({
    name: 'account.exports.sweep',
    lane: 'own',
    waits: 'deadline',
    cron: '23 * * * *',
    async run() {
      await db.transaction().execute(async (trx) => {
        const now = clock.now()
        const ended = [...(await dropExports(trx, now)), ...(await failMaking(trx, new Date(now.getTime() - lostMs)))]
        for (const { id, account } of ended) await publishChange(trx, { account, topic: 'account', id })
      })
    },
  })
}
