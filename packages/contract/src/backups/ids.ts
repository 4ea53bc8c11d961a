/** Ids of backups, alone: what only names a backup loads nothing else of them. */
import { z } from 'zod'
import type { BackupsFieldReason } from './field-reasons.ts'

export const BackupId = z.string().regex(/^bk_[a-z0-9]{8,40}$/, 'backupId' satisfies BackupsFieldReason)
export const SnapshotId = z.string().regex(/^sn_[a-z0-9]{8,40}$/, 'snapshotId' satisfies BackupsFieldReason)
export const GrantId = z.string().regex(/^vg_[a-z0-9]{8,40}$/, 'grantId' satisfies BackupsFieldReason)
export const RestoreId = z.string().regex(/^rs_[a-z0-9]{8,40}$/, 'restoreId' satisfies BackupsFieldReason)

/** The snapshot to create a cluster from; without a `snapshotId` the newest completed one. */
export const RestoreSource = z.strictObject({ backupId: BackupId, snapshotId: SnapshotId.optional() })
export type RestoreSource = z.infer<typeof RestoreSource>
