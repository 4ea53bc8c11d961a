/** Backups in every situation, and what the console asks about them. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleClusters } from './sample-clusters.ts'

const hour = 3600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
const gigabytes = (count: number) => count * 1024 ** 3
const cluster = sampleClusters.find(({ status }) => status === 'running')
if (!cluster) throw new Error('the sample has no running cluster')
const { clusterId, name: clusterName } = cluster

export const sampleBackupId = 'bk_sample0001'
const noneEnded = { endedAt: null, size: null, newBytes: null, files: null, restorable: false, cancellable: true }

function run(index: number, facts: Partial<contract.Snapshot>): contract.Snapshot {
  return {
    ...{ snapshotId: `sn_sample000${index}`, kind: 'Incremental', state: 'Completed', scheduledFor: ago(24 * index) },
    ...{ createdAt: ago(24 * index), startedAt: ago(24 * index), endedAt: ago(24 * index - 0.1) },
    ...{ size: gigabytes(92 - index), newBytes: gigabytes(0.4), files: 38_412, unreadFiles: 0, reason: null },
    ...{ progress: null, restorable: true, cancellable: false, cancelAsked: false, ...facts },
  }
}
const running = run(0, {
  ...{ ...noneEnded, state: 'Running', scheduledFor: null },
  progress: {
    ...{ filesDone: 24_610, filesTotal: 38_455, secondsLeft: 48 },
    ...{ bytesDone: gigabytes(75.6), bytesTotal: gigabytes(118.2) },
  },
})
const failed = run(2, {
  ...{ state: 'Failed', size: null, newBytes: null, files: null, restorable: false },
  reason: 'The machine could not reach the backup store.',
})
const snapshots = [running, run(1, {}), failed, run(3, { reason: '2 files could not be read.', unreadFiles: 2 })]

function backup(index: number, facts: Partial<contract.Backup>): contract.Backup {
  return {
    ...{ backupId: `bk_sample000${index}`, clusterId, clusterName, name: 'Everything nightly', state: 'active' },
    ...{ paths: ['/'], schedule: { every: 'day', at: '03:00' }, timeZone: 'Europe/Berlin', keep: contract.defaultKeep },
    ...{ nextAt: ago(-9), deletedAt: null, size: gigabytes(92), snapshots: 30, oldestAt: ago(24 * 30) },
    ...{ needsPassword: false, newest: running, lastCompletedAt: ago(24) },
    ...{ actions: ['cancel', 'pause', 'edit', 'restore', 'delete'], ...facts },
  }
}
const waiting = { ...noneEnded, state: 'Pending', startedAt: null, reason: 'Waits for the backup password.' } as const
const backups = [
  backup(1, {}),
  backup(2, {
    ...{ name: 'Photos', paths: ['/photos'], schedule: { every: 'week', at: '04:15', weekday: 7 } },
    ...{ needsPassword: true, newest: run(4, waiting) },
  }),
  backup(3, {
    ...{ name: 'Letters', state: 'deleting', nextAt: null, deletedAt: ago(-24 * 9), newest: failed },
    actions: ['undelete'],
  }),
]
const machine: contract.BackupMachine = {
  ...{ clusterId, clusterName, instanceId: 'in_sample0001', connected: true, restic: '0.18.0' },
  ...{ key: { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) }, timeZone: 'Europe/Berlin', slots: [] },
}
const restore: contract.Restore = {
  ...{ restoreId: 'rs_sample0001', snapshotId: 'sn_sample0001', snapshotAt: ago(24), way: 'newFolder' },
  ...{ state: 'Completed', folder: 'Restored 2026-03-18 14.27', createdAt: ago(2), endedAt: ago(1), files: 38_412 },
  ...{ size: gigabytes(91), reason: null, needsPassword: false, progress: null, cancellable: false },
}

function answer<C extends Call>(
  call: C,
  data: CallData<C> | ((fields: URLSearchParams) => CallData<C>),
): [Call, unknown] {
  return [call, data]
}

export function sampleBackups(): [Call, unknown][] {
  const page = { page: 1, rowsPerPage: 20, rowsNumber: snapshots.length }
  const asked = (fields: URLSearchParams) =>
    backups.find(({ backupId }) => backupId === fields.get('backupId')) ?? backup(1, {})
  return [
    answer(contract.backupList, {
      backups,
      machines: [machine],
      usage: { used: 112_400_000_000, quota: 100_000_000_000 },
    }),
    answer(contract.backupDetail, (fields) => ({ backup: asked(fields), machine, restores: [restore] })),
    answer(contract.backupSnapshots, { snapshots, ...page }),
    answer(contract.backupRun, { snapshotId: 'sn_sample0000' }),
    answer(contract.backupPause, {}),
    answer(contract.backupCancel, {}),
    answer(contract.backupDelete, { deletedAt: ago(-24 * 14) }),
    answer(contract.backupUndelete, {}),
    answer(contract.backupCreate, { backupId: sampleBackupId }),
    answer(contract.backupUpdate, {}),
    answer(contract.backupUnlock, {}),
    answer(contract.backupRetention, { keep: [], remove: [] }),
    answer(contract.backupRestore, { restoreId: 'rs_sample0001' }),
  ]
}
