/** Calls about rights to a backup's store, and the way back to before one (api.md). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'
import { requestId } from './call-fields.ts'
import { BackupId, GrantId, SnapshotId } from './ids.ts'

const Amount = z.object({ files: z.int(), bytes: z.number() })

export const BackupGrants = z.object({
  /** The newest first, at most 100. */
  grants: z.array(
    z.object({
      grantId: GrantId,
      right: z.enum(['read', 'write', 'prune']),
      at: IsoTime,
      /** The run that it was given to; null: it forgot or pruned, or changed the password. */
      snapshotId: SnapshotId.nullable(),
      /** Files that came under it, and that it removed. */
      stored: Amount,
      taken: Amount,
      /** Until when going back is possible; null: as long as nothing is removed. */
      until: IsoTime.nullable(),
      /** Removed since and gone for good, so that going back is not possible; null: it is. */
      gone: Amount.nullable(),
    }),
  ),
  /** The last time it went back, which can be undone until then; null: there is nothing to undo. */
  wentBack: z.object({ at: IsoTime, until: IsoTime }).nullable(),
})
export type BackupGrants = z.infer<typeof BackupGrants>

export const backupGrants = defineCall({
  name: 'backupGrants',
  path: '/v1/resource/backup/grants',
  reach: 'private',
  reads: true,
  topics: ['backup'],
  summary: 'The rights under which the store of a backup was changed, and whether it can go back to before each.',
  body: z.strictObject({ backupId: BackupId }),
  data: BackupGrants,
})

/** The run under way ends, and so does every right to the store; the plan goes on. */
export const backupGoBack = defineCall({
  name: 'backupGoBack',
  path: '/v1/resource/backup/goBack',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Takes the store of a backup back to before a right: what came since goes to the trash, what was removed since comes back. It can be undone for 14 days.',
  body: z.strictObject({ backupId: BackupId, grantId: GrantId, requestId }),
  data: z.object({ trashed: z.int(), restored: z.int() }),
})

export const backupUndoGoBack = defineCall({
  name: 'backupUndoGoBack',
  path: '/v1/resource/backup/undoGoBack',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Brings back what going back last moved to the trash; what it brought back stays.',
  body: z.strictObject({ backupId: BackupId, requestId }),
})

/** Each call takes back the right that the one before it gave. */
export const backupReadGrant = defineCall({
  name: 'backupReadGrant',
  path: '/v1/resource/backup/readGrant',
  reach: 'private',
  topics: ['backup'],
  rate: 'change',
  summary: 'A right to read the store of a backup for 24 hours with restic alone, on any computer, and the command.',
  body: z.strictObject({ backupId: BackupId }),
  data: z.object({
    /** As restic takes it, with the right in it: `rest:https://…`. */
    repository: z.string(),
    /** For a shell: restores the newest snapshot into the folder `restored`. restic asks for the password. */
    command: z.string(),
    until: IsoTime,
  }),
})
