import type { announcementUpdate, announcementWrite } from '@atoll/contract/announcements'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../platform/caller.ts'
import { newId } from '../../platform/crypto.ts'
import type { Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import type { Catalog } from '../catalog/index.ts'
import { endAnnouncement, insertAnnouncement, insertText, lockAnnouncement } from './announcement-store.ts'
import { regionsOf } from './describe.ts'

export const announcementMailsJob = 'announcements.mail'
export const statusMakeJob = 'status.make'

interface By {
  caller: Caller
  now: Date
}

export async function writeAnnouncement(
  trx: Trx,
  body: CallBody<typeof announcementWrite>,
  { caller, now, catalog }: By & { catalog: Catalog },
): Promise<string> {
  const startsAt = body.startsAt === undefined ? now : new Date(body.startsAt)
  const endsAt = body.endsAt === undefined ? null : new Date(body.endsAt)
  if (endsAt && endsAt <= startsAt) refuse('announcementTimes')
  const known = new Set(regionsOf(catalog).map(({ region }) => region))
  const unknown = body.regions.find((region) => !known.has(region))
  if (unknown !== undefined) refuse('announcedRegionUnknown', { region: unknown })
  const id = newId('an')
  const writtenBy = caller.userid
  await insertAnnouncement(trx, {
    id,
    kind: body.kind,
    impact: body.impact,
    title_en: body.titleEn,
    title_zh: body.titleZh,
    components: body.components,
    regions: body.regions,
    starts_at: startsAt,
    ends_at: endsAt,
    by_mail: body.byMail,
    written_by: writtenBy,
    written_at: now,
  })
  const text = { text_en: body.textEn, text_zh: body.textZh, written_by: writtenBy, at: now }
  await insertText(trx, { announcement_id: id, ...text })
  await record(trx, 'support.announce', { caller, title: body.titleEn })
  if (body.byMail) await enqueueJob(trx, announcementMailsJob, { id }, { key: `${announcementMailsJob}:${id}` })
  return id
}

export async function updateAnnouncement(
  trx: Trx,
  { announcementId: id, textEn, textZh, ends }: CallBody<typeof announcementUpdate>,
  { caller, now }: By,
): Promise<void> {
  const row = (await lockAnnouncement(trx, id)) ?? refuse('notFound', { object: 'announcement' })
  if (row.ended_at) refuse('announcementEnded')
  const writtenBy = caller.userid
  await insertText(trx, { announcement_id: id, text_en: textEn, text_zh: textZh, written_by: writtenBy, at: now })
  if (ends) await endAnnouncement(trx, id, now)
  await record(trx, ends ? 'support.announceEnd' : 'support.update', { caller, title: row.title_en })
}

async function record(
  trx: Trx,
  action: 'support.announce' | 'support.update' | 'support.announceEnd',
  { caller, title }: { caller: Caller; title: string },
): Promise<void> {
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action,
    after: { title },
    object: { kind: 'support', id: caller.userid, owner: caller.userid },
  })
  await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
  await enqueueJob(trx, statusMakeJob, {}, { key: statusMakeJob })
}
