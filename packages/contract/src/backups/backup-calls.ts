/** `/v1/resource/backup`: backups and their plans (api.md). A password never travels in the clear: `PasswordBox`. */
import { z } from 'zod'
import { PasswordBox } from '../agents/backup-tasks.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireBool } from '../wire/fields.ts'
import { TimeZone } from '../wire/time-zone.ts'
import {
  Backup,
  BackupMachine,
  BackupName,
  BackupPaths,
  BackupSchedule,
  DamagedFile,
  KeepRules,
  ProofWork,
  Restore,
} from './backups.ts'
import { box, password, requestId } from './call-fields.ts'
import { ClientBackupId } from './client-calls.ts'
import type { BackupsFieldReason } from './field-reasons.ts'
import { BackupId, RestoreId, SnapshotId } from './ids.ts'

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

export const backupUnlock = defineCall({
  name: 'backupUnlock',
  path: '/v1/resource/backup/unlock',
  reach: 'private',
  rate: 'change',
  topics: ['backup'],
  summary:
    'Gives a machine the password of a backup, sealed to its key: the one that is backed up, or a new cluster that is restored. Everything that waited for it goes on.',
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
