/**
 * Task `backup.look`: the console asks for files of a snapshot in a box that only this machine opens, and gets a page
 * in a box for the key of that visit. The control plane passes both on; no text of a result names a file.
 */
import { gzipSync } from 'node:zlib'
import type { BackupFailure, LookParams, LookResult } from '@atoll/contract/agents'
import { mostLookBox } from '@atoll/contract/agents'
import { type LookPage, LookQuery } from '@atoll/contract/backups'
import type { ProblemCode } from '@atoll/contract/personal-server'
import type { z } from 'zod'
import { HttpProblem } from '../../kernel/problem.ts'
import { type BackupKeys, sealFor } from '../repository/backup-keys.ts'
import { BackupProblem } from '../repository/restic-failure.ts'
import type { BackupFiles } from './backup-files.ts'

const failures: Partial<Record<ProblemCode, BackupFailure>> = {
  backupLocked: 'no_password',
  wrongPassword: 'wrong_password',
  noRestic: 'no_restic',
  vaultAway: 'unreachable',
  consoleAway: 'unreachable',
  backupGone: 'no_snapshot',
  backupDamaged: 'damaged',
  notFound: 'bad_path',
  badName: 'bad_path',
}
/** Header, ephemeral key, nonce and tag of a box, and its dots: characters. */
const boxOverhead = 400

export interface LookOptions {
  keys: Pick<BackupKeys, 'open'>
  files: Pick<BackupFiles, 'look' | 'unlock'>
  signal: AbortSignal
  /** Told on this machine alone: its words may name files. */
  onDefect(error: unknown): void
}

export async function runLook(
  { keys, files, signal, onDefect }: LookOptions,
  { backupId, snapshotId, box }: z.output<typeof LookParams>,
): Promise<LookResult> {
  try {
    const query = readQuery(await keys.open(box))
    if (query.password !== undefined) await files.unlock(backupId, query.password)
    const page = await files.look({ backupId, snapshotId }, query)
    return { outcome: 'done', page: await sealFor(query.key, packPage(page)) }
  } catch (error) {
    // Canceled, or the agent ends: that is no failure.
    if (signal.aborted) throw error
    const known = failureOf(error)
    if (known === undefined) onDefect(error)
    const failure = known ?? 'failed'
    return { outcome: 'failed', failure, text: 'The files of the snapshot were not listed.' }
  }
}

function failureOf(error: unknown): BackupFailure | undefined {
  if (error instanceof HttpProblem) return failures[error.code] ?? 'failed'
  return error instanceof BackupProblem ? error.failure : undefined
}

function readQuery(text: string): LookQuery {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const { data } = LookQuery.safeParse(json)
  if (!data) throw new BackupProblem('bad_path', 'This is not a question about files.')
  return data
}

/** As many entries as a box holds: hundreds of usual names, some forty of 255 bytes that do not compress. */
export function packPage(page: LookPage): Buffer {
  for (let count = page.entries.length; ; count = Math.floor(count * 0.8)) {
    const packed = gzipSync(JSON.stringify({ ...page, entries: page.entries.slice(0, count) }))
    if (count <= 1 || boxOverhead + (packed.length * 4) / 3 <= mostLookBox) return packed
  }
}
