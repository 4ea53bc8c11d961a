import { type BackupMachine, backupLook, backupLooked, type LookPage, type LookQuery } from '@atoll/contract/backups'
import { callApi } from '../../data/client.ts'
import { encryptFor } from '../seal-password.ts'
import type { VisitKey } from './visit-key.ts'

/** From one question whether the machine has answered to the next, ms: most answers come within a second. */
const firstWaitMs = 250
const mostWaitMs = 1500
/** No machine takes longer. ms */
const patienceMs = 75_000

export interface LookAsked {
  backupId: string
  snapshotId: string
  /** Another cluster of the reader that reads the snapshot; undefined: the backup's own. */
  clusterId: string | undefined
  machineKey: NonNullable<BackupMachine['key']>
  query: Omit<LookQuery, 'key'>
}

/** Why there is no page; `message` is for the reader, empty where the machine never answered. */
export class LookFailure extends Error {
  readonly needsPassword: boolean
  constructor(message: string, needsPassword: boolean) {
    super(message)
    this.name = 'LookFailure'
    this.needsPassword = needsPassword
  }
}

/** A page of files, which the machine reads and only `visit` opens. Throws `LookFailure`, or as a call fails. */
export async function askLook(
  { backupId, snapshotId, clusterId, machineKey, query }: LookAsked,
  visit: VisitKey,
  signal: AbortSignal,
): Promise<LookPage> {
  const box = await encryptFor(machineKey, JSON.stringify({ ...query, key: visit.publicKey }))
  const { lookId } = await callApi(backupLook, { backupId, snapshotId, clusterId, box }, signal)
  const until = Date.now() + patienceMs
  for (let wait = firstWaitMs; Date.now() < until; wait = Math.min(wait * 1.5, mostWaitMs)) {
    await pause(wait, signal)
    const { state, page, needsPassword, reason } = await callApi(backupLooked, { backupId, lookId }, signal)
    if (page === null && state === 'waiting') continue
    if (page === null) throw new LookFailure(reason ?? '', needsPassword)
    const opened = await visit.open(page)
    const { path, find, offset } = query
    if (opened.path !== path || opened.find !== find || opened.offset !== offset) break
    return opened
  }
  throw new LookFailure('', false)
}

/** Until the next question; ends early with the page. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(due)
      reject(signal.reason)
    }
    const due = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
