/** The calls about backups of this server. Paths are those in a snapshot: absolute, `/` is all of it. */
import { BackupsKept, PutBack, type PutBackOrder, SnapshotListing } from '@atoll/contract/personal-server-backups'
import type { z } from 'zod'
import { call, tell } from './call.ts'

/** Which snapshot of which backup. */
export interface SnapshotRef {
  backupId: string
  snapshotId: string
}

export const listBackups = () => call(BackupsKept, 'GET', '/api/backups')
export const listSnapshotFolder = (ref: SnapshotRef, path: string, page: { offset: number; filter: string }) =>
  call(
    SnapshotListing,
    'GET',
    `/api/backups/list?${queryOf(ref, path)}&offset=${page.offset}&filter=${encodeURIComponent(page.filter)}`,
  )
/** Where a file is downloaded from, or a folder as an archive. */
export const snapshotFileAddress = (ref: SnapshotRef, path: string) => `/api/backups/file?${queryOf(ref, path)}`
export const beginPutBack = (order: z.input<typeof PutBackOrder>) =>
  call(PutBack, 'POST', '/api/backups/put-back', { body: order })
export const getPutBack = (id: string, signal: AbortSignal) =>
  call(PutBack, 'GET', `/api/backups/put-back?id=${encodeURIComponent(id)}`, { signal })
export const unlockBackup = (backupId: string, password: string) =>
  tell('POST', '/api/backups/password', { body: { backupId, password } })

function queryOf({ backupId, snapshotId }: SnapshotRef, path: string): string {
  return `backup=${backupId}&snapshot=${snapshotId}&path=${encodeURIComponent(path)}`
}
