/** `/v1/resource/backup`: calls about backups (api.md). A password never travels in the clear: `PasswordBox`. */
import { z } from 'zod'
import { ChoiceBox, LookBox, PasswordBox } from '../agents/backup-tasks.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, RequestId, WireBool } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { TimeZone } from '../wire/time-zone.ts'
import {
  Backup,
  BackupMachine,
  BackupName,
  BackupPaths,
  BackupSchedule,
  chosenWays,
  DamagedFile,
  KeepRules,
  keepReasons,
  NewClusterRestore,
  ProofWork,
  Restore,
  Snapshot,
} from './backups.ts'
import { ClientBackupId } from './client-calls.ts'
import type { BackupsFieldReason } from './field-reasons.ts'
import { BackupId, GrantId, RestoreId, SnapshotId } from './ids.ts'

/** Refused by name, so that the sender of a password learns that it must not be sent. */
const password = z.never('plainPassword' satisfies BackupsFieldReason).optional()
const box = PasswordBox.optional()
const requestId = RequestId.optional()

export const backupList = defineCall({
  name: 'backupList',
  path: '/v1/resource/backup/list',
  reach: 'self',
  reads: true,
  topics: ['backup', 'cluster'],
  summary: 'Backups that the caller may see, the clusters of theirs that can have one, and what is stored.',
  data: z.object({
    backups: z.array(Backup),
    machines: z.array(BackupMachine),
    /** Of the caller. `quota` is their plan's. */
    usage: z.object({ used: z.number(), quota: z.number() }),
  }),
})

export const backupDetail = defineCall({
  name: 'backupDetail',
  path: '/v1/resource/backup/detail',
  reach: 'private',
  reads: true,
  topics: ['backup', 'cluster'],
  summary: 'One backup, its machine, its newest restores, the proof that is under way, and what is damaged.',
  body: z.strictObject({ backupId: BackupId }),
  data: z.object({
    backup: Backup,
    machine: BackupMachine.nullable(),
    restores: z.array(Restore),
    proving: ProofWork.nullable(),
    /** The next run has no room: of snapshots under 48 h that no rule keeps the oldest go, until it has. */
    shortOfRoom: z.boolean(),
    /** At most `mostDamagedListed` of them. Which files of the drive are in them only the machine knows. */
    damaged: z.array(DamagedFile),
  }),
})

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
  summary: 'What a cluster of the caller is restored from, and how far that is; null: it was made empty.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({ restoring: NewClusterRestore.nullable() }),
})

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

/** The first run begins at once when `runNow`; it waits for the password when no `box` comes along. */
export const backupCreate = defineCall({
  name: 'backupCreate',
  path: '/v1/resource/backup/create',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'A new backup of a cluster. Two backups of a cluster cannot start in the same slot.',
  body: z.strictObject({
    clusterId: ClusterId,
    name: BackupName,
    paths: BackupPaths,
    schedule: BackupSchedule,
    /** For all backups of the cluster; the one that they have stays where it is left out. */
    timeZone: TimeZone.optional(),
    /** Left out: what suits the schedule, `defaultKeepOf`. */
    keep: KeepRules.optional(),
    box,
    password,
    runNow: WireBool.default(false),
    requestId,
  }),
  data: z.object({ backupId: BackupId }),
})

export const backupUpdate = defineCall({
  name: 'backupUpdate',
  path: '/v1/resource/backup/update',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Changes what a backup holds, when it runs and what is kept; what is left out stays.',
  body: z.strictObject({
    backupId: BackupId,
    name: BackupName.optional(),
    paths: BackupPaths.optional(),
    schedule: BackupSchedule.optional(),
    timeZone: TimeZone.optional(),
    keep: KeepRules.optional(),
    requestId,
  }),
})

export const backupPause = defineCall({
  name: 'backupPause',
  path: '/v1/resource/backup/pause',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Pauses the schedule of a backup, or with paused=false resumes it.',
  body: z.strictObject({ backupId: BackupId, paused: WireBool.default(true), requestId }),
})

export const backupRun = defineCall({
  name: 'backupRun',
  path: '/v1/resource/backup/run',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Backs up now. While a run is under way, that one is answered.',
  body: z.strictObject({ backupId: BackupId, box, password, requestId }),
  data: z.object({ snapshotId: SnapshotId }),
})

export const backupCancel = defineCall({
  name: 'backupCancel',
  path: '/v1/resource/backup/cancel',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Ends the run that is under way, with a restoreId that restore, or with proof=true the proof.',
  body: z.strictObject({
    backupId: BackupId,
    restoreId: RestoreId.optional(),
    proof: WireBool.default(false),
    requestId,
  }),
})

export const backupDelete = defineCall({
  name: 'backupDelete',
  path: '/v1/resource/backup/delete',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Deletes a backup with all its snapshots after 14 days; until then it can be taken back. One that a personal server saved is forgotten at once.',
  body: z.strictObject({
    backupId: z.union([BackupId, ClientBackupId], 'anyBackupId' satisfies BackupsFieldReason),
    requestId,
  }),
  data: z.object({ deletedAt: IsoTime }),
})

export const backupUndelete = defineCall({
  name: 'backupUndelete',
  path: '/v1/resource/backup/undelete',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Takes the deletion of a backup back. It is paused then.',
  body: z.strictObject({ backupId: BackupId, requestId }),
})

export const backupRetention = defineCall({
  name: 'backupRetention',
  path: '/v1/resource/backup/retention',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'What these rules would keep and remove now, by the very function that removes it.',
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
  summary: 'Takes a forgotten snapshot back, whoever forgot it. It is pinned for 30 days then.',
  body: z.strictObject({ backupId: BackupId, snapshotId: SnapshotId, requestId }),
})

export const backupUnlock = defineCall({
  name: 'backupUnlock',
  path: '/v1/resource/backup/unlock',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Gives a machine the password of a backup, sealed to its key: the one that is backed up, or a new cluster that is restored. What waited for it goes on.',
  body: z.strictObject({ clusterId: ClusterId, backupId: BackupId, box: PasswordBox, password, requestId }),
})

export const backupChangePassword = defineCall({
  name: 'backupChangePassword',
  path: '/v1/resource/backup/changePassword',
  reach: 'private',
  topics: ['backup'],
  rate: 'change',
  summary:
    'Changes the password of a backup whose machine keeps the current one: it adds the new one, opens the backup with it, and only then removes the old one. Until then `passwordChange` of the backup says so.',
  body: z.strictObject({ backupId: BackupId, box: PasswordBox, password, requestId }),
})

export const backupRestore = defineCall({
  name: 'backupRestore',
  path: '/v1/resource/backup/restore',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Brings the files of a snapshot, or chosen ones, back to its cluster: into a new folder, in place of what is there, or chosen ones beside that.',
  body: z
    .strictObject({
      backupId: BackupId,
      snapshotId: SnapshotId,
      way: z.enum(chosenWays).default('newFolder'),
      /** A `RestoreChoice`; left out: everything. */
      choice: ChoiceBox.optional(),
      box,
      password,
      requestId,
    })
    .refine(({ way, choice }) => way !== 'beside' || choice !== undefined, {
      path: ['way'],
      message: 'choiceNeeded' satisfies BackupsFieldReason,
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
    'Asks the machine of a backup which files a snapshot holds. Question and answer are encrypted between browser and machine.',
  body: z.strictObject({
    backupId: BackupId,
    snapshotId: SnapshotId,
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
  summary: 'What the machine answered to a look at a snapshot, for an hour.',
  body: z.strictObject({ backupId: BackupId, lookId: z.string().regex(/^at_\w{8,40}$/) }),
  data: z.object({
    state: z.enum(['waiting', 'done', 'failed']),
    /** Of `done`: a gzipped `LookPage`, for the key of the question. */
    page: LookBox.nullable(),
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

/** The machine reads everything back, then the store hashes every file: what is known of it is on `Backup.proof`. */
export const backupProve = defineCall({
  name: 'backupProve',
  path: '/v1/resource/backup/prove',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Has everything that a backup stored read back now. While that is under way, it is that one.',
  body: z.strictObject({ backupId: BackupId, requestId }),
})

export const backupAnswerAlarm = defineCall({
  name: 'backupAnswerAlarm',
  path: '/v1/resource/backup/answerAlarm',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary: 'Says whether what raised the alarm of a backup was expected. If not, nothing is forgotten until it is.',
  body: z.strictObject({ backupId: BackupId, snapshotId: SnapshotId, expected: WireBool, requestId }),
})
