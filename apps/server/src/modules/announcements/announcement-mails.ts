import { announcedTexts } from '@atoll/texts/announced'
import { mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { defineJob, type Job } from '../../platform/jobs/index.ts'
import { findAddressee } from '../accounts/index.ts'
import type { LiveCatalog } from '../catalog/index.ts'
import { listOwnersIn } from '../clusters/index.ts'
import { announcementMail, deadlineText, type Mail } from '../mail/index.ts'
import { announcementMailsJob } from './announcement-service.ts'
import { type AnnouncementRow, listTexts, lockAnnouncement, noteMailed } from './announcement-store.ts'
import { type NamedRegion, regionsOf } from './describe.ts'

interface MailsDeps {
  db: Db
  clock: Clock
  catalog: LiveCatalog
  mail: Pick<Mail, 'post'>
}

/** Owners that are written to in one transaction. */
const batch = 100
/** News without an end are worth sending so much later, ms. */
const usableMs = 24 * 60 * 60_000

/**
 * Writes the mails of an announcement, by owners in order. How far it got stands in the transaction of the mails, so
 * that nobody has two when it is killed.
 */
export function announcementMails(deps: MailsDeps): Job {
  const { db, clock, catalog } = deps
  return defineJob({
    name: announcementMailsJob,
    lane: 'own',
    waits: 'careful',
    payload: z.object({ id: z.string() }),
    async run({ id }, { signal }) {
      const regions = regionsOf(catalog.current())
      let isOver = false
      while (!isOver && !signal.aborted) {
        isOver = await db.transaction().execute(async (trx) => {
          const row = await lockAnnouncement(trx, id)
          if (!row || row.mailed_at) return true
          const owners = await listOwnersIn(trx, { regions: row.regions, after: row.mailed_to, limit: batch })
          // One that is over already is no news.
          const meant = row.ended_at ? [] : owners
          for (const owner of meant) await post(deps, trx, { row, owner, regions })
          const isLast = row.ended_at !== null || owners.length < batch
          await noteMailed(trx, { id, to: owners.at(-1) ?? row.mailed_to, at: isLast ? clock.now() : undefined })
          return isLast
        })
      }
      if (!isOver) throw new Error('stopped before all mails were written')
    },
  })
}

async function post(
  { clock, mail }: MailsDeps,
  trx: Parameters<Mail['post']>[0],
  { row, owner, regions }: { row: AnnouncementRow; owner: string; regions: readonly NamedRegion[] },
): Promise<void> {
  const addressee = await findAddressee(trx, owner)
  if (!addressee) return
  const { email: to, name: account, locale, timeZone } = addressee
  const { facts: words, separator } = mailTexts[locale].announcement
  const at = (time: Date) => deadlineText(time, timeZone, locale)
  const named = row.regions.map((region) => regions.find((known) => known.region === region)?.title[locale] ?? region)
  const facts = [
    { label: words.starts, value: at(row.starts_at) },
    ...(row.ends_at ? [{ label: words.ends, value: at(row.ends_at) }] : []),
    ...(row.components.length > 0
      ? [
          {
            label: words.parts,
            value: row.components.map((one) => announcedTexts[locale].components[one]).join(separator),
          },
        ]
      : []),
    { label: words.regions, value: named.join(separator) || words.all },
  ]
  const [first] = await listTexts(trx, [row.id])
  if (!first) throw new Error(`announcement ${row.id} says nothing`)
  await mail.post(trx, {
    kind: announcementMail,
    params: {
      account,
      facts,
      title: locale === 'zh-CN' ? row.title_zh : row.title_en,
      text: locale === 'zh-CN' ? first.text_zh : first.text_en,
    },
    userid: owner,
    to,
    locale,
    usableUntil: row.ends_at ?? new Date(clock.now().getTime() + usableMs),
  })
}
