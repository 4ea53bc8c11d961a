/** Ids of backups, alone: what only names a backup loads nothing else of them. */
import { z } from 'zod'
import type { BackupsFieldReason } from './field-reasons.ts'

export const BackupId = z.string().regex(/^bk_[a-z0-9]{8,40}$/, 'backupId' satisfies BackupsFieldReason)
export const SnapshotId = z.string().regex(/^sn_[a-z0-9]{8,40}$/, 'snapshotId' satisfies BackupsFieldReason)
export const RestoreId = z.string().regex(/^rs_[a-z0-9]{8,40}$/, 'restoreId' satisfies BackupsFieldReason)
