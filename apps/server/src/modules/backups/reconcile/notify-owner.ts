/** Writes a notice to the owner of a backup: on the page, and as a mail where they have an address. */
import type { NewsKind } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import type { Trx } from '../../../platform/db/index.ts'
import { findAddressee } from '../../accounts/index.ts'
import { backupMail } from '../../mail/index.ts'
import { recordNews } from '../../news/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { listKept } from '../records/backup-store.ts'
import type { BackupRow } from '../tables.ts'
import type { Notice } from './changes.ts'

/** Such a mail is useless after this time, ms. */
const usableMs = 7 * 24 * 3600_000

const newsOf = {
  over: 'backupOver',
  damage: 'backupDamage',
  drill: 'backupDrill',
  run: 'backupRun',
  prune: 'backupPrune',
  check: 'backupCheck',
  shrink: 'backupShrink',
  rewrite: 'backupRewrite',
} as const satisfies Record<Notice['about'], NewsKind>

/** In the owner's language; an owner without an address sees it on the page. */
export async function notifyOwner(
  deps: BackupDeps,
  { trx, at, backup }: { trx: Trx; at: Date; backup: BackupRow },
  notice: Notice,
): Promise<void> {
  const { about } = notice
  await recordNews(trx, { userid: backup.owner, at, kind: newsOf[about], object: { id: backup.id, name: backup.name } })
  const to = await findAddressee(trx, backup.owner)
  if (!to) return
  // Mails about possibly lost files, or about access by somebody else, cannot be switched off.
  const isOptional = about === 'over' || about === 'run' || about === 'prune' || about === 'check'
  if (isOptional && to.mailsOff.includes('alerts')) return
  const [cluster] = await deps.listClusterNames(trx, [backup.cluster_id])
  const [newest] = await listKept(trx, backup.id)
  const times = {
    at: at.toISOString(),
    lastGood: newest?.received_at.toISOString() ?? null,
    timeZone: to.timeZone,
    next: backup.next_at?.toISOString() ?? null,
  }
  const params = {
    account: to.name,
    backup: backup.name,
    cluster: cluster?.clusterName ?? '',
    ...inWords(notice, to.locale),
    times,
    path: `/backupDetails/${backup.id}`,
  }
  const usableUntil = new Date(at.getTime() + usableMs)
  const order = { kind: backupMail, params, userid: backup.owner, to: to.email, locale: to.locale, usableUntil }
  await deps.mail.post(trx, { ...order, ...(isOptional && { optional: 'alerts' }) })
}

function inWords(notice: Notice, locale: Locale) {
  if (!('reason' in notice)) return notice
  return { about: notice.about, reason: notice.reason ? reasonText(notice.reason, locale) : '' }
}
