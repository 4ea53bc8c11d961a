/** Warnings to the owner of a backup: damage in the store, and runs that look like an attack or an accident. */
import type { NewsKind } from '@atoll/contract/accounts'
import type { Reason } from '@atoll/contract/api'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import type { Trx } from '../../../platform/db/index.ts'
import { findAddressee } from '../../accounts/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import { backupMail } from '../../mail/index.ts'
import { recordNews } from '../../news/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { enqueueReconcile, listKept } from '../records/backup-store.ts'
import { findDamage, findProof, insertProof } from '../records/proof-store.ts'
import { guardedRuns, guardRun } from '../rules/guard.ts'
import { describeReason, storeReason } from '../rules/reason-text.ts'
import type { BackupRow, SnapshotRow } from '../tables.ts'
import { noteEnd, type TroubleSource } from '../troubles.ts'
import type { BackupFacts } from './facts.ts'

/** Such a mail is useless after this time, ms. */
const usableMs = 7 * 24 * 3600_000
const bySystem = { actor: 'system', ip: null } as const satisfies AuditSource

/**
 * A stored file differs from the one received. Runs in the vault's transaction, which holds that file: it waits for no
 * lock of a backup, and leaves the rest to the reconciler.
 */
export async function noteDamagedFile(
  trx: Trx,
  { repositoryId, type, name, at }: { repositoryId: string; type: string; name: string; at: Date },
): Promise<void> {
  const backup = await trx
    .selectFrom('backups')
    .select(['id', 'owner'])
    .where('repo_id', '=', repositoryId)
    .where('state', 'in', ['active', 'paused'])
    .executeTakeFirst()
  if (!backup) return
  // As restic shortens names; the vault's log has it whole.
  const file = type === name ? type : `${type}/${name.slice(0, 10)}…`
  const reason = storeReason({ key: 'backupFileDamaged', params: { file } })
  await insertProof(trx, backup, { level: 'written', passed: false, reason, at })
  await enqueueReconcile(trx, backup.id)
}

/** Tells once that a backup is damaged, and notes when all that is stored has been read and is sound again. */
export async function noteDamage(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup } = facts
  const damage = await findDamage(trx, backup.id)
  if (!damage) return
  if (backup.damaged_at !== null) {
    const { readAt } = await findProof(trx, backup.id)
    const { bad } = await deps.scrubLeft(trx, backup.repo_id, at)
    if (readAt === null || bad > 0) return
    await trx.updateTable('backups').set({ damaged_at: null, sound_at: at }).where('id', '=', backup.id).execute()
    return
  }
  // This damage is older than the reading that showed the backup to be sound again.
  if (backup.sound_at !== null && damage.at < backup.sound_at) return
  await trx.updateTable('backups').set({ damaged_at: damage.at }).where('id', '=', backup.id).execute()
  await recordAudit(trx, {
    ...bySystem,
    action: 'backup.damage',
    object: objectOf(backup),
    after: { reason: damage.reason },
  })
  await post(deps, facts, (locale) => ({ about: 'damage', reason: describeReason(damage.reason, locale) ?? '' }))
}

/** Looks at a run that has just been completed, `row` as it was before; under the backup's lock. */
export async function guardBackup(
  deps: BackupDeps,
  facts: BackupFacts,
  row: Pick<SnapshotRow, 'id'>,
  figures: { bytes: number; files: number; newBytes: number },
): Promise<void> {
  const { trx, at, backup } = facts
  // One at a time: what comes meanwhile is as suspicious, and as frozen.
  if (backup.alarm !== null) return
  const before = await trx
    .selectFrom('snapshots')
    .select(['size', 'files', 'new_bytes'])
    .where('backup_id', '=', backup.id)
    .where('state', '=', 'Completed')
    // A snapshot that was found in the vault has no figures.
    .where('size', 'is not', null)
    .where('id', '<>', row.id)
    .$if(backup.guard_since !== null, (query) => query.where('received_at', '>=', backup.guard_since))
    .orderBy('received_at', 'desc')
    .limit(guardedRuns)
    .execute()
  const alarm = guardRun(
    figures,
    before.map(({ size, files, new_bytes }) => ({ bytes: size ?? 0, files: files ?? 0, newBytes: new_bytes ?? 0 })),
  )
  if (!alarm) return
  const percent = Math.round(alarm.share * 100)
  await trx
    .updateTable('backups')
    .set({ alarm: alarm.kind, alarm_at: at, alarm_snapshot_id: row.id, alarm_share: percent, alarm_held: false })
    .where('id', '=', backup.id)
    .execute()
  await recordAudit(trx, {
    ...bySystem,
    action: 'backup.alarm',
    object: objectOf(backup),
    after: { change: alarm.kind, percent, snapshot: row.id },
  })
  await post(deps, facts, () => ({ about: alarm.kind, percent }))
}

/** The files restored in a drill differ from those backed up. */
export async function mailFailedDrill(deps: BackupDeps, facts: BackupFacts, reason: Reason): Promise<void> {
  await post(deps, facts, (locale) => ({ about: 'drill', reason: reasonText(reason, locale) }))
}

/**
 * A run or a chore of a backup has ended: its owner is notified once for each cause, and once when everything works
 * again. `reason`: why it failed; null: it worked. Not called for a machine that is off, which alert rules cover.
 */
export async function tellTrouble(
  deps: BackupDeps,
  facts: BackupFacts,
  source: TroubleSource,
  reason: Reason | null,
): Promise<void> {
  const { trx, backup } = facts
  const { troubles, tell } = noteEnd(backup.troubles, source, reason?.key ?? null)
  if (JSON.stringify(troubles) === JSON.stringify(backup.troubles)) return
  await trx
    .updateTable('backups')
    .set({ troubles: JSON.stringify(troubles) })
    .where('id', '=', backup.id)
    .execute()
  if (tell === 'over') await post(deps, facts, () => ({ about: 'over' }))
  if (tell !== 'began' || reason === null) return
  await post(deps, facts, (locale) => ({ about: source, reason: reasonText(reason, locale) }))
}

type Said =
  | { about: 'over' }
  | { about: 'damage' | 'drill' | TroubleSource; reason: string }
  | { about: 'shrink' | 'rewrite'; percent: number }

const newsOf = {
  over: 'backupOver',
  damage: 'backupDamage',
  drill: 'backupDrill',
  run: 'backupRun',
  prune: 'backupPrune',
  check: 'backupCheck',
  shrink: 'backupShrink',
  rewrite: 'backupRewrite',
} as const satisfies Record<Said['about'], NewsKind>

/** To the owner, in their language; one without an address sees it on the page. */
async function post(deps: BackupDeps, { trx, at, backup }: BackupFacts, say: (locale: Locale) => Said): Promise<void> {
  const { about } = say('en-US')
  const object = { id: backup.id, name: backup.name }
  await recordNews(trx, { userid: backup.owner, at, kind: newsOf[about], object })
  const to = await findAddressee(trx, backup.owner)
  if (!to) return
  const said = say(to.locale)
  // Mails about possibly lost files, or about access by somebody else, cannot be switched off.
  const isOptional = said.about === 'over' || said.about === 'run' || said.about === 'prune' || said.about === 'check'
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
    ...said,
    times,
    path: `/backupDetails/${backup.id}`,
  }
  const usableUntil = new Date(at.getTime() + usableMs)
  const order = { kind: backupMail, params, userid: backup.owner, to: to.email, locale: to.locale, usableUntil }
  await deps.mail.post(trx, { ...order, ...(isOptional && { optional: 'alerts' }) })
}

function objectOf({ id, owner, name }: BackupRow) {
  return { kind: 'backup', id, owner, name } as const
}
