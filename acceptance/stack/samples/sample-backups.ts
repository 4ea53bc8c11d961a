/** Backups in every situation, and what the console asks about them. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleClusters } from './sample-clusters.ts'
import { answerSample, askSample, sampleMachineKey } from './sample-files.ts'

const hour = 3600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
const gigabytes = (count: number) => count * 1024 ** 3
const cluster = sampleClusters.find(({ status }) => status === 'running')
if (!cluster) throw new Error('the sample has no running cluster')
const { clusterId, name: clusterName } = cluster

export const sampleBackupId = 'bk_sample0001'
export const sampleBackupName = 'Everything nightly'
const noneEnded = {
  endedAt: null,
  size: null,
  newBytes: null,
  files: null,
  restorable: false,
  cancellable: true,
  actions: [] as contract.Snapshot['actions'],
}

function run(index: number, facts: Partial<contract.Snapshot>): contract.Snapshot {
  return {
    snapshotId: `sn_sample000${index}`,
    kind: 'Incremental',
    state: 'Completed',
    scheduledFor: ago(24 * index),
    createdAt: ago(24 * index),
    startedAt: ago(24 * index),
    runningAt: ago(24 * index),
    endedAt: ago(24 * index - 0.1),
    size: gigabytes(92 - index),
    newBytes: gigabytes(0.4),
    files: 38_412,
    unreadFiles: 0,
    reason: null,
    proof: null,
    progress: null,
    restorable: true,
    cancellable: false,
    cancelAsked: false,
    pin: null,
    forgotten: null,
    actions: ['pin', 'forget'],
    ...facts,
  }
}
const running = run(0, {
  ...noneEnded,
  state: 'Running',
  scheduledFor: null,
  createdAt: ago(0.024),
  startedAt: ago(0.0228),
  runningAt: ago(0.0203),
  progress: {
    filesDone: 24_610,
    filesTotal: 38_455,
    secondsLeft: 48,
    bytesPerSecond: 62_000_000,
    bytesDone: gigabytes(75.6),
    bytesTotal: gigabytes(118.2),
    unreadFiles: 2,
  },
})
const failed = run(2, {
  state: 'Failed',
  size: null,
  newBytes: null,
  files: null,
  restorable: false,
  actions: [],
  reason: 'The machine could not reach the backup store.',
})
const snapshots = [
  running,
  run(1, { pin: { until: ago(-24 * 29) }, actions: ['unpin', 'forget'] }),
  failed,
  run(3, { proof: { level: 'read', at: ago(50) }, reason: '2 files could not be read.', unreadFiles: 2 }),
  // A fortnight of nights, for the chart: the oldest is a full one.
  ...Array.from({ length: 11 }, (_, index) =>
    run(index + 4, {
      snapshotId: `sn_sample01${String(index).padStart(2, '0')}`,
      newBytes: gigabytes(0.3 + (index % 5) * 0.2),
      ...(index === 6 && { newBytes: gigabytes(5.8) }),
      ...(index % 5 === 3 && { proof: { level: 'drilled' as const, at: ago(24 * index) } }),
      ...(index === 2 && {
        forgotten: { at: ago(30), until: ago(-24 * 12) },
        restorable: false,
        actions: ['takeBack' as const],
      }),
      ...(index === 10 && { kind: 'Fully' as const, newBytes: gigabytes(63) }),
    }),
  ),
]

const keep = contract.defaultKeepOf({ every: 'day' })
function backup(index: number, facts: Partial<contract.Backup>): contract.Backup {
  return {
    backupId: `bk_sample000${index}`,
    clusterId,
    clusterName,
    name: sampleBackupName,
    state: 'active',
    paths: ['/'],
    schedule: { every: 'day', at: '03:00' },
    timeZone: 'Europe/Berlin',
    keep,
    nextAt: ago(-9),
    deletedAt: null,
    size: gigabytes(92),
    snapshots: 30,
    oldestAt: ago(24 * 30),
    needsPassword: false,
    passwordChange: null,
    newest: running,
    newestKept: 'sn_sample0001',
    lastCompletedAt: ago(24),
    proof: proved,
    alarm: null,
    moveTo: null,
    actions: ['cancel', 'pause', 'edit', 'changePassword', 'restore', 'delete'],
    ...facts,
  }
}
/** As it is before anything was read back. */
const unproved: contract.BackupProof = {
  readAt: null,
  drill: null,
  drillMissed: null,
  damage: null,
  state: null,
  reason: null,
}
const proved: contract.BackupProof = {
  ...unproved,
  readAt: ago(50),
  drill: { at: ago(24 * 9), passed: true, files: 38_412, equal: 38_412, reason: null, sameHost: true },
}
const failedDrill = {
  at: ago(24 * 3),
  passed: false,
  files: 38_412,
  equal: 38_400,
  reason: 'What came back is not what was backed up.',
  sameHost: false,
}
const waiting = {
  ...noneEnded,
  state: 'Pending',
  startedAt: null,
  runningAt: null,
  reason: 'Waits for the backup password.',
} as const
const backups = [
  backup(1, {}),
  backup(2, {
    name: 'Photos',
    paths: ['/photos'],
    schedule: { every: 'week', at: '04:15', weekday: 7 },
    needsPassword: true,
    newest: run(4, waiting),
  }),
  backup(3, {
    name: 'Letters',
    state: 'deleting',
    nextAt: null,
    deletedAt: ago(-24 * 9),
    newest: failed,
    proof: unproved,
    actions: ['undelete'],
  }),
  backup(4, {
    name: 'Ledgers',
    paths: ['/ledgers'],
    newest: run(1, {}),
    actions: ['run', 'pause', 'edit', 'restore', 'delete'],
    proof: {
      ...unproved,
      state: 'hashing',
      drill: failedDrill,
      damage: { at: ago(5), reason: `A stored file is not what was written: data/${'3f'.repeat(5)}….` },
    },
    alarm: { kind: 'rewrite', at: ago(3), snapshotId: 'sn_sample0001', percent: 74, held: false },
  }),
]
const oldProof = { ...unproved, readAt: ago(24 * 41) }
backups.push(
  backup(5, {
    name: 'Music',
    paths: ['/music'],
    newest: run(1, {}),
    proof: oldProof,
    alarm: { kind: 'shrink', at: ago(30), snapshotId: 'sn_sample0001', percent: 38, held: true },
    actions: ['run', 'resume', 'edit', 'prove', 'delete'],
    state: 'paused',
    nextAt: null,
  }),
  backup(6, {
    name: 'Scores',
    paths: ['/scores'],
    newest: failed,
    proof: {
      ...proved,
      drill: failedDrill,
      state: 'asked',
      reason: 'The machine is not connected.',
      drillMissed: {
        at: ago(20),
        reason: 'There was no room for a machine to drill on. It is tried again a day later.',
      },
    },
    actions: ['run', 'pause', 'edit', 'restore', 'delete'],
  }),
)
backups.push(
  backup(7, {
    name: 'Letters and scans',
    paths: ['/letters'],
    newest: run(1, {}),
    moveTo: { clusterId: 'cl_sample9999', clusterName: 'Manihi' },
    actions: ['run', 'pause', 'edit', 'prove', 'restore', 'delete'],
  }),
)
const lost = sampleClusters.find(({ missing }) => missing)
if (!lost) throw new Error('the sample has no cluster whose machine was lost')
backups.push(
  backup(8, {
    clusterId: lost.clusterId,
    clusterName: lost.name,
    name: `${lost.name} nightly`,
    newest: run(1, {}),
    actions: ['pause', 'edit', 'restore', 'delete'],
  }),
)
const machine: contract.BackupMachine = {
  clusterId,
  clusterName,
  instanceId: 'in_sample0001',
  connected: true,
  restic: '0.18.0',
  key: sampleMachineKey,
  timeZone: 'Europe/Berlin',
  // The rest of them would leave few.
  slots: backups.slice(0, 2).map(({ backupId, name, schedule }) => ({ backupId, name, schedule })),
}
const lostMachine: contract.BackupMachine = {
  ...machine,
  clusterId: lost.clusterId,
  clusterName: lost.name,
  instanceId: lost.instanceId,
  connected: false,
  slots: [],
}
const restore: contract.Restore = {
  restoreId: 'rs_sample0001',
  snapshotId: 'sn_sample0001',
  snapshotAt: ago(24),
  way: 'newFolder',
  target: null,
  state: 'Completed',
  folder: 'Restored 2026-03-18 14.27',
  kept: null,
  createdAt: ago(2),
  endedAt: ago(1),
  files: 38_412,
  size: gigabytes(91),
  reason: null,
  needsPassword: false,
  progress: null,
  cancellable: false,
}
/** By the backup; the others have one that was completed. */
const restores: Record<string, contract.Restore> = {
  bk_sample0005: {
    ...restore,
    state: 'Running',
    folder: null,
    endedAt: null,
    files: null,
    size: null,
    cancellable: true,
    progress: {
      filesDone: 9_208,
      filesTotal: 38_412,
      secondsLeft: 372,
      bytesPerSecond: 84_000_000,
      bytesDone: gigabytes(22.4),
      bytesTotal: gigabytes(91),
      unreadFiles: 0,
    },
  },
  [sampleBackupId]: {
    ...restore,
    way: 'replace',
    folder: null,
    kept: { folder: 'Before the restore of 2026-03-18 14.27', files: 3, isWhole: false },
  },
  bk_sample0006: {
    ...restore,
    state: 'Failed',
    way: 'replace',
    folder: null,
    files: null,
    size: null,
    reason: 'The disk of the machine is full.',
  },
}
const proof: contract.ProofWork = {
  stage: 'drilling',
  since: ago(0.2),
  part: null,
  reason: null,
  cancellable: true,
  cancelAsked: false,
  drillStep: null,
  progress: {
    filesDone: 21_870,
    filesTotal: null,
    secondsLeft: 512,
    bytesPerSecond: 84_000_000,
    bytesDone: gigabytes(51.8),
    bytesTotal: gigabytes(91),
    unreadFiles: 0,
  },
}
const counted = { bytesDone: 0, bytesTotal: null, bytesPerSecond: null, unreadFiles: 0 }
/** By the backup: a drill, a part that is read and is being canceled, everything, and one that waits. */
const proofs: Record<string, contract.ProofWork> = {
  bk_sample0007: { ...proof, drillStep: 'restoring' },
  bk_sample0002: {
    ...proof,
    stage: 'reading',
    part: { k: 3, n: 8 },
    cancellable: false,
    cancelAsked: true,
    progress: { ...counted, filesDone: 41, filesTotal: 160, secondsLeft: 90 },
  },
  bk_sample0004: {
    ...proof,
    stage: 'hashing',
    cancellable: false,
    progress: { ...counted, filesDone: 2_210, filesTotal: 5_904, secondsLeft: null },
  },
  bk_sample0006: { ...proof, stage: 'asked', reason: 'The machine is not connected.', progress: null },
}
const damagedFiles: contract.DamagedFile[] = [
  { type: 'data', name: '3f'.repeat(32), bytes: 17_200_000, storedAt: ago(24 * 12), snapshotAt: null },
  { type: 'index', name: '9e41'.repeat(16), bytes: 48_200, storedAt: ago(24 * 12), snapshotAt: null },
  { type: 'snapshots', name: 'c07b'.repeat(16), bytes: 410, storedAt: ago(72), snapshotAt: ago(72) },
]
const restoringCluster = sampleClusters.find(({ status }) => status === 'restore_error')
/** The restore that a cluster is created from: its files arrive, or the password is wrong. */
function restoringOf(clusterId: string | null): contract.NewClusterRestore {
  const isRefused = clusterId === restoringCluster?.clusterId
  const target = { clusterId: clusterId ?? '', clusterName: isRefused ? 'Amanu' : 'Hao' }
  const begun = { ...(restores['bk_sample0005'] ?? restore), way: 'newCluster' as const, target, cancellable: false }
  const waits = { state: 'Pending' as const, progress: null, needsPassword: true }
  return {
    backupId: sampleBackupId,
    backupName: 'Everything nightly',
    files: 38_412,
    size: gigabytes(91),
    restore: { ...begun, ...(isRefused && waits) },
    refused: isRefused,
    key: machine.key,
  }
}
const hoursOfKept: [number, contract.KeepReason[]][] = [
  [24, ['daily', 'monthly']],
  [30, ['recent']],
  [72, ['daily']],
  [24 * 12, ['daily']],
  [24 * 31, ['monthly']],
  [24 * 62, ['proved']],
]

/** `data` gives undefined where nothing is there. */
function answer<C extends Call>(
  call: C,
  data: CallData<C> | ((fields: URLSearchParams) => CallData<C> | undefined),
): [Call, unknown] {
  return [call, data]
}

const readGrant = {
  repository: 'rest:https://vg_sample0009:ExampleTokenOfARightToRead@vault.atoll.example/vr_sample00000000000000/',
  until: ago(-24),
}

export function sampleBackups(isEmpty: boolean): [Call, unknown][] {
  const asked = (fields: URLSearchParams) => backups.find(({ backupId }) => backupId === fields.get('backupId'))
  return [
    answer(contract.backupList, {
      backups: isEmpty ? [] : backups,
      machines: isEmpty ? [] : [machine],
      usage: { used: isEmpty ? 0 : 112_400_000_000, quota: 100_000_000_000 },
    }),
    answer(contract.backupDetail, (fields) => {
      const found = asked(fields)
      if (!found) return undefined
      const { backupId } = found
      const damaged = found.proof.damage ? damagedFiles : []
      return {
        backup: found,
        machine: found.clusterId === lostMachine.clusterId ? lostMachine : machine,
        restores: [restores[backupId] ?? restore],
        proving: proofs[backupId] ?? null,
        damaged,
        shortOfRoom: found.name === 'Music',
      }
    }),
    answer(contract.backupSnapshot, (fields) => ({
      backupId:
        { sn_sample0002: 'bk_sample0002', sn_sample0008: 'bk_sample0008' }[fields.get('snapshotId') ?? ''] ??
        sampleBackupId,
      backupName: 'Everything nightly',
      clusterName,
      snapshot: run(1, { size: gigabytes(20) }),
      resticId: 'a'.repeat(64),
      seconds: 1_140,
      refusal: null,
    })),
    answer(contract.backupRestoring, (fields) => ({ restoring: restoringOf(fields.get('clusterId')) })),
    answer(contract.backupSnapshots, (fields) => {
      const [page, rowsPerPage] = [Number(fields.get('page') ?? 1), Number(fields.get('rowsPerPage') ?? 20)]
      const shown = snapshots.slice((page - 1) * rowsPerPage, page * rowsPerPage)
      return { snapshots: shown, page, rowsPerPage, rowsNumber: snapshots.length }
    }),
    answer(contract.backupRun, { snapshotId: 'sn_sample0000' }),
    answer(contract.backupPause, {}),
    answer(contract.backupCancel, {}),
    answer(contract.backupDelete, { deletedAt: ago(-24 * 14) }),
    answer(contract.backupUndelete, {}),
    answer(contract.backupCreate, { backupId: sampleBackupId }),
    answer(contract.backupUpdate, {}),
    answer(contract.backupUnlock, {}),
    answer(contract.backupRetention, {
      keep: hoursOfKept.map(([hours, because]) => ({ snapshotId: `sn_kept000${hours}`, at: ago(hours), because })),
      remove: [30, 48, 96].map((hours) => ({
        snapshotId: `sn_gone000${hours}`,
        at: ago(hours),
        forRoom: hours === 30,
      })),
    }),
    answer(contract.backupPin, {}),
    answer(contract.backupMove, {}),
    answer(contract.backupForget, { until: ago(-24 * 14) }),
    answer(contract.backupTakeBack, {}),
    answer(contract.backupGrants, {
      grants: [2, 26, 50].map((hours) => ({
        grantId: `vg_sample00${hours}x`,
        at: ago(hours),
        snapshotId: hours === 26 ? null : 'sn_sample0001',
        right: hours === 26 ? ('prune' as const) : ('write' as const),
        stored: { files: 12, bytes: 48_000_000 },
        taken: { files: hours === 26 ? 9 : 0, bytes: 31_000_000 },
        until: ago(-24 * 13),
        gone: hours === 50 ? { files: 9, bytes: 31_000_000 } : null,
      })),
      wentBack: { at: ago(1), until: ago(-24 * 14) },
    }),
    answer(contract.backupGoBack, { trashed: 12, restored: 9 }),
    answer(contract.backupUndoGoBack, {}),
    answer(contract.backupChangePassword, {}),
    answer(contract.backupReadGrant, {
      ...readGrant,
      command: `export RESTIC_REPOSITORY='${readGrant.repository}'\nrestic restore latest --target restored`,
    }),
    answer(contract.backupProve, {}),
    answer(contract.backupAnswerAlarm, {}),
    answer(contract.backupLook, (fields) => {
      const lookId = askSample(fields.get('box') ?? '')
      return lookId === undefined ? undefined : { lookId }
    }),
    answer(contract.backupLooked, (fields) => {
      const page = answerSample(fields.get('lookId'))
      // Its machine does not keep the password of this one.
      const isLocked = fields.get('backupId') === 'bk_sample0002'
      const none = { page: null, needsPassword: true, reason: 'Waits for the backup password.' }
      if (isLocked) return { state: 'failed' as const, ...none }
      return page === undefined ? undefined : { state: 'done' as const, page, needsPassword: false, reason: null }
    }),
    answer(contract.backupRestore, { restoreId: 'rs_sample0001' }),
  ]
}
