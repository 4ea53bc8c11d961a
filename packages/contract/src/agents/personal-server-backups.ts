/**
 * Calls of a personal server (`personal-server.ts`) for single files of its backups, all with a session.
 *
 * `path` is a path in the snapshot, `/` is all of it. 503 consoleAway (the control plane, which lists the backups, is
 * not reached), vaultAway (the storage that holds them is not), noRestic, busy · 409 backupLocked (the password is not
 * kept here) · 404 backupGone · 500 backupDamaged, backupFailed
 *   GET    /api/backups                       → `BackupsKept`
 *   GET    /api/backups/list?backup=…&snapshot=…&path=/&offset=0&filter=…
 *                                             → `SnapshotListing`, folders first, then by name
 *   GET    /api/backups/file?backup=…&snapshot=…&path=…
 *          the bytes of a file, as an attachment, or of a folder as a ZIP archive; cut off when it cannot be read to
 *          its end. 409 notAFile
 *   POST   /api/backups/put-back              `PutBackOrder` → 202 `PutBack`, which goes on in the background.
 *          507 storageLimit
 *   GET    /api/backups/put-back?id=…         → `PutBack`
 *   POST   /api/backups/password {backupId, password}
 *          keeps the password of a backup here → 204. 403 wrongPassword
 */
import { z } from 'zod'
import { BackupId } from '../backups/ids.ts'
import { KeptBackups } from './agent-backups.ts'
import { ResticSnapshotId } from './backup-tasks.ts'
import { problemCodes } from './personal-server.ts'

const UnreadFiles = z.object({
  /** ISO. */
  at: z.string(),
  count: z.number(),
  /** Of the drive, as a person reads them; the first of them only. */
  paths: z.array(z.string()),
})
export type UnreadFiles = z.infer<typeof UnreadFiles>
const KeptBackup = KeptBackups.element.extend({
  /** Its password is not kept here: nothing of it can be read. */
  isLocked: z.boolean(),
  /** Files that the last run could not read, and those that the last restore could not restore; null: none. */
  unread: z.object({ run: UnreadFiles.nullable(), restore: UnreadFiles.nullable() }),
})
export type KeptBackup = z.infer<typeof KeptBackup>
export const BackupsKept = z.object({
  backups: z.array(KeptBackup),
  hasRestic: z.boolean(),
  /** Of the key for which passwords are sealed for this machine, as the console shows it. */
  keyFingerprint: z.string(),
})
export type BackupsKept = z.infer<typeof BackupsKept>
export const SnapshotRefShape = z.strictObject({ backupId: BackupId, snapshotId: ResticSnapshotId })
const SnapshotItem = z.object({
  /** Each byte that is no UTF-8 is a character from U+10FF80 on: it is asked for so, and shown as U+FFFD. */
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes; 0 for all but files. */
  size: z.number(),
  /** ISO 8601 */
  modifiedAt: z.string(),
})
export type SnapshotItem = z.infer<typeof SnapshotItem>
export const SnapshotListing = z.object({
  path: z.string(),
  /** At most 200, from `offset` on. */
  entries: z.array(SnapshotItem),
  offset: z.number(),
  /** Entries that the filter leaves, and all of the folder. */
  found: z.number(),
  total: z.number(),
  /** The folder holds more than 150 000 entries, of which these are the first. */
  truncated: z.boolean(),
})
export type SnapshotListing = z.infer<typeof SnapshotListing>
const OneName = z.string().min(1).max(255)
export const PutBackOrder = SnapshotRefShape.extend({
  path: z.string().min(2).max(4096),
  /** The name it gets beside what is in its place, unless that is replaced; where it is taken, too, with a number. */
  besideName: OneName,
  /** The name under which the file in its place is kept when it is replaced. */
  keptName: OneName,
  replace: z.boolean(),
})
export const PutBack = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  /** Of `done`: where it lies, and where what it replaced lies now. */
  placed: z.object({ path: z.string(), kept: z.string().nullable() }).nullable(),
  /** Of `failed`. */
  problem: z.enum(problemCodes).nullable(),
})
export type PutBack = z.infer<typeof PutBack>
export const BackupUnlock = z.strictObject({ backupId: BackupId, password: z.string().min(1).max(1024) })
