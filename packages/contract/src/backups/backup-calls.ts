/** `/v1/resource/backup`: calls about backups (api.md). A password never travels in the clear: `PasswordBox`. */
import { z } from 'zod'
import { PasswordBox } from '../agents/backup-tasks.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, RequestId, WireBool } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import {
  Backup,
  BackupMachine,
  BackupName,
  BackupPaths,
  BackupSchedule,
  DamagedFile,
  defaultKeep,
  KeepRules,
  keepReasons,
  NewClusterRestore,
  ProofWork,
  Restore,
  restoreWays,
  Snapshot,
  TimeZone,
} from './backups.ts'
import { ClientBackupId } from './client-calls.ts'
import type { BackupsFieldReason } from './field-reasons.ts'
import { BackupId, RestoreId, SnapshotId } from './ids.ts'

/** Refused by name, so that whoever sends a password learns that it must not. */
const password = z.never('plainPassword' satisfies BackupsFieldReason).optional()
const box = PasswordBox.optional()
const requestId = RequestId.optional()

export const backupList = defineCall({
  name: 'backupList',
  path: '/v1/resource/backup/list',
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
  topics: ['backup', 'cluster'],
  summary: 'One backup, its machine, its newest restores, the proof that is under way, and what is damaged.',
  body: z.strictObject({ backupId: BackupId }),
  data: z.object({
    backup: Backup,
    machine: BackupMachine.nullable(),
    restores: z.array(Restore),
    proving: ProofWork.nullable(),
    /** At most `mostDamagedListed` of them. Which files of the drive are in them only the machine knows. */
    damaged: z.array(DamagedFile),
  }),
})

export const backupSnapshots = defineCall({
  name: 'backupSnapshots',
  path: '/v1/resource/backup/snapshots',
  topics: ['backup'],
  summary: 'Runs of a backup, the newest first.',
  body: pageQuery({ backupId: BackupId }),
  data: pageOf({ snapshots: z.array(Snapshot) }),
})

export const backupSnapshot = defineCall({
  name: 'backupSnapshot',
  path: '/v1/resource/backup/snapshot',
  topics: ['backup', 'cluster'],
  summary: 'One snapshot and what restoring it on a new cluster takes.',
  body: z.strictObject({ snapshotId: SnapshotId }),
  data: z.object({
    backupId: BackupId,
    backupName: z.string(),
    clusterName: z.string(),
    snapshot: Snapshot,
    /** Estimated by how long restores or full runs took before; null: unknown. */
    seconds: z.number().nullable(),
    /** In the caller's language: why no cluster can be made of it now; null: one can. */
    refusal: z.string().nullable(),
  }),
})

export const backupRestoring = defineCall({
  name: 'backupRestoring',
  path: '/v1/resource/backup/restoring',
  topics: ['backup', 'cluster'],
  summary: 'What a cluster of the caller is restored from, and how far that is; null: it was made empty.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({ restoring: NewClusterRestore.nullable() }),
})

/** The first run begins at once when `runNow`; it waits for the password when no `box` comes along. */
export const backupCreate = defineCall({
  name: 'backupCreate',
  path: '/v1/resource/backup/create',
  topics: ['backup'],
  summary: 'A new backup of a cluster. Two backups of a cluster cannot start in the same slot.',
  body: z.strictObject({
    clusterId: ClusterId,
    name: BackupName,
    paths: BackupPaths,
    schedule: BackupSchedule,
    /** For all backups of the cluster; the one that they have stays where it is left out. */
    timeZone: TimeZone.optional(),
    keep: KeepRules.default(defaultKeep),
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
  topics: ['backup'],
  summary: 'Pauses the schedule of a backup, or with paused=false resumes it.',
  body: z.strictObject({ backupId: BackupId, paused: WireBool.default(true), requestId }),
})

export const backupRun = defineCall({
  name: 'backupRun',
  path: '/v1/resource/backup/run',
  topics: ['backup'],
  summary: 'Backs up now. While a run is under way, that one is answered.',
  body: z.strictObject({ backupId: BackupId, box, password, requestId }),
  data: z.object({ snapshotId: SnapshotId }),
})

export const backupCancel = defineCall({
  name: 'backupCancel',
  path: '/v1/resource/backup/cancel',
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
  topics: ['backup'],
  summary: 'Takes the deletion of a backup back. It is paused then.',
  body: z.strictObject({ backupId: BackupId, requestId }),
})

export const backupRetention = defineCall({
  name: 'backupRetention',
  path: '/v1/resource/backup/retention',
  topics: ['backup'],
  summary: 'What these rules would keep and remove now, by the very function that removes it.',
  body: z.strictObject({ backupId: BackupId, keep: KeepRules.optional() }),
  data: z.object({
    keep: z.array(z.object({ snapshotId: SnapshotId, at: IsoTime, because: z.array(z.enum(keepReasons)) })),
    remove: z.array(z.object({ snapshotId: SnapshotId, at: IsoTime })),
  }),
})

export const backupUnlock = defineCall({
  name: 'backupUnlock',
  path: '/v1/resource/backup/unlock',
  topics: ['backup'],
  summary:
    'Gives a machine the password of a backup, sealed to its key: the one that is backed up, or a new cluster that is restored. What waited for it goes on.',
  body: z.strictObject({ clusterId: ClusterId, backupId: BackupId, box: PasswordBox, password, requestId }),
})

export const backupRestore = defineCall({
  name: 'backupRestore',
  path: '/v1/resource/backup/restore',
  topics: ['backup'],
  summary: 'Brings the files of a snapshot back to its cluster, into a new folder or in place of what is there.',
  body: z.strictObject({
    backupId: BackupId,
    snapshotId: SnapshotId,
    way: z.enum(restoreWays).default('newFolder'),
    box,
    password,
    requestId,
  }),
  data: z.object({ restoreId: RestoreId }),
})

/** The machine reads everything back, then the store hashes every file: what is known of it is on `Backup.proof`. */
export const backupProve = defineCall({
  name: 'backupProve',
  path: '/v1/resource/backup/prove',
  topics: ['backup'],
  summary: 'Has everything that a backup stored read back now. While that is under way, it is that one.',
  body: z.strictObject({ backupId: BackupId, requestId }),
})

export const backupAnswerAlarm = defineCall({
  name: 'backupAnswerAlarm',
  path: '/v1/resource/backup/answerAlarm',
  topics: ['backup'],
  summary: 'Says whether what raised the alarm of a backup was expected. If not, nothing is forgotten until it is.',
  body: z.strictObject({ backupId: BackupId, snapshotId: SnapshotId, expected: WireBool, requestId }),
})
