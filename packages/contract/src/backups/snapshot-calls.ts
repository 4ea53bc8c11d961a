/** Calls about snapshots: retention, restoring, and their files (api.md). */
import { z } from 'zod'
import { ChoiceBox, LookBox } from '../agents/backup-tasks.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireBool } from '../wire/fields.ts'
import { ownersAlone } from '../wire/owners-alone.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { chosenWays, KeepRules, keepReasons, NewClusterRestore, Snapshot } from './backups.ts'
import { box, password, requestId } from './call-fields.ts'
import type { BackupsFieldReason } from './field-reasons.ts'
import { BackupId, RestoreId, SnapshotId } from './ids.ts'

export const backupSnapshots = defineCall({
  name: 'backupSnapshots',
  path: '/v1/resource/backup/snapshots',
  reach: 'private',
  reads: true,
  topics: ['backup'],
  summary: 'Runs of a backup, the newest first.',
  body: pageQuery({ backupId: BackupId }),
  data: pageOf({ snapshots: z.array(Snapshot) }),
})

export const backupSnapshot = defineCall({
  name: 'backupSnapshot',
  path: '/v1/resource/backup/snapshot',
  reach: 'private',
  reads: true,
  topics: ['backup', 'cluster'],
  summary: 'One snapshot and what restoring it on a new cluster takes.',
  body: z.strictObject({ snapshotId: SnapshotId }),
  data: z.object({
    backupId: BackupId,
    backupName: z.string(),
    clusterName: z.string(),
    snapshot: Snapshot,
    /** As restic and the personal server name it; null until it is made. */
    resticId: z.string().nullable().default(null),
    /** Estimated by how long restores or full runs took before; null: unknown. */
    seconds: z.number().nullable(),
    /** In the caller's language: why no cluster can be made of it now; null: one can. */
    refusal: z.string().nullable(),
  }),
})

export const backupRestoring = defineCall({
  name: 'backupRestoring',
  path: '/v1/resource/backup/restoring',
  reach: 'private',
  reads: true,
  topics: ['backup', 'cluster'],
  summary: 'The restore that a cluster of the caller was made by, and its progress; null: it was made empty.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({ restoring: NewClusterRestore.nullable() }),
})

export const backupRetention = defineCall({
  name: 'backupRetention',
  path: '/v1/resource/backup/retention',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Snapshots that these rules would keep and remove now, by the very function that removes them.',
  body: z.strictObject({ backupId: BackupId, keep: KeepRules.optional() }),
  data: z.object({
    keep: z.array(z.object({ snapshotId: SnapshotId, at: IsoTime, because: z.array(z.enum(keepReasons)) })),
    /** `forRoom`: it is under 48 h old, and goes because the next run has no room. */
    remove: z.array(z.object({ snapshotId: SnapshotId, at: IsoTime, forRoom: z.boolean() })),
  }),
})

export const backupPin = defineCall({
  name: 'backupPin',
  path: '/v1/resource/backup/pin',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Pins a snapshot, so that no rule removes it, or with pinned=false unpins it.',
  body: z.strictObject({ backupId: BackupId, snapshotId: SnapshotId, pinned: WireBool.default(true), requestId }),
})

export const backupForget = defineCall({
  name: 'backupForget',
  path: '/v1/resource/backup/forget',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Forgets one snapshot, which can be taken back until the time that is answered.',
  body: z.strictObject({
    backupId: BackupId,
    snapshotId: SnapshotId,
    /** Of the backup: asked of pinned snapshots, so that none is forgotten by mistake. */
    name: z.string().max(60).optional(),
    requestId,
  }),
  data: z.object({ until: IsoTime }),
})

export const backupTakeBack = defineCall({
  name: 'backupTakeBack',
  path: '/v1/resource/backup/takeBack',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Restores a forgotten snapshot, also one that was forgotten by a rule. It is pinned for 30 days then.',
  body: z.strictObject({ backupId: BackupId, snapshotId: SnapshotId, requestId }),
})

export const backupRestore = defineCall({
  name: 'backupRestore',
  path: '/v1/resource/backup/restore',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Brings the files of a snapshot, or chosen ones, back to its cluster: into a new folder, in place of what is there, or chosen ones beside that. With `clusterId` they go into a new folder of another cluster of the account.',
  body: z
    .strictObject({
      backupId: BackupId,
      snapshotId: SnapshotId,
      way: z.enum(chosenWays).default('newFolder'),
      /** A `RestoreChoice`; left out: everything. */
      choice: ChoiceBox.optional(),
      /** Another cluster of the owner that reads the snapshot, while that of the backup is away. */
      clusterId: ClusterId.optional(),
      box,
      password,
      requestId,
    })
    .refine(({ way, choice }) => way !== 'beside' || choice !== undefined, {
      path: ['way'],
      message: 'choiceNeeded' satisfies BackupsFieldReason,
    })
    .refine(({ way, clusterId }) => way === 'newFolder' || clusterId === undefined, {
      path: ['way'],
      message: 'newFolderThere' satisfies BackupsFieldReason,
    }),
  data: z.object({ restoreId: RestoreId }),
})

/** Answered by `backup/looked`, as soon as the machine has. */
export const backupLook = defineCall({
  name: 'backupLook',
  topics: ['backup'],
  path: '/v1/resource/backup/look',
  reach: 'private',
  rate: 'costly',
  summary:
    'Asks the machine of a backup, or another cluster of its owner, which files a snapshot holds. Question and answer are encrypted between browser and machine.',
  body: z.strictObject({
    backupId: BackupId,
    snapshotId: SnapshotId,
    /** Another cluster of the owner that reads the snapshot, while that of the backup is away. */
    clusterId: ClusterId.optional(),
    /** A `LookQuery` for the machine's key. */
    box: LookBox,
  }),
  data: z.object({ lookId: z.string() }),
})

export const backupLooked = defineCall({
  name: 'backupLooked',
  topics: ['backup'],
  path: '/v1/resource/backup/looked',
  reach: 'private',
  reads: true,
  summary: 'The machine’s answer to a look at a snapshot, kept for an hour.',
  body: z.strictObject({ backupId: BackupId, lookId: z.string().regex(/^at_\w{8,40}$/) }),
  data: z.object({
    state: z.enum(['waiting', 'done', 'failed']),
    /** Of `done`: a gzipped `LookPage`, for the key of the question. */
    page: ownersAlone(LookBox.nullable()),
    /** The machine does not keep the password, or the one of the question opens nothing. */
    needsPassword: z.boolean(),
    /** Of `failed`, in the caller's language. */
    reason: z.string().nullable(),
  }),
})

export const backupMove = defineCall({
  name: 'backupMove',
  path: '/v1/resource/backup/move',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Answers whether the plan moves to the active cluster that was made of its backup (`moveTo`), or stays where it is.',
  body: z.strictObject({ backupId: BackupId, move: WireBool, requestId }),
})
