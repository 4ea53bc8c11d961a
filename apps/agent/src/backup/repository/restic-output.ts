/**
 * The output of restic with `--json`, of all versions since 0.14: a line is an object, whose kind is `message_type`.
 */
import type { BackupProgress } from '@atoll/contract/agents'
import { z } from 'zod'

const Count = z.number().nonnegative().catch(0)

/** restic leaves out what is 0. */
const Status = z.object({
  message_type: z.literal('status'),
  total_files: Count,
  files_done: Count,
  total_bytes: Count,
  bytes_done: Count,
  seconds_remaining: z.number().nonnegative().optional().catch(undefined),
  // Of `restore`.
  files_restored: Count,
  bytes_restored: Count,
})
const Summary = z.object({
  message_type: z.literal('summary'),
  total_files_processed: z.number().nonnegative(),
  total_bytes_processed: z.number().nonnegative(),
  data_added: z.number().nonnegative(),
  /** 64 hex digits; 8 before 0.15. */
  snapshot_id: z.string().regex(/^[0-9a-f]{8,64}$/),
})
export type Summary = z.infer<typeof Summary>
/** Of a file that could not be read. */
const FileError = z.object({ message_type: z.literal('error'), item: z.string() })

const Line = z.discriminatedUnion('message_type', [Status, Summary, FileError])
export type ResticLine = z.infer<typeof Line>

/** Undefined for a line that is nothing of these. */
export function readResticLine(text: string): ResticLine | undefined {
  if (!text.startsWith('{')) return undefined
  const said = parseJson(text)
  return Line.safeParse(said).data
}

export function progressOf(line: z.infer<typeof Status>): Omit<BackupProgress, 'bytesPerSecond'> {
  const round = (value: number) => Math.trunc(value)
  const left = line.seconds_remaining
  return {
    filesDone: round(line.files_done + line.files_restored),
    filesTotal: round(line.total_files),
    bytesDone: round(line.bytes_done + line.bytes_restored),
    bytesTotal: round(line.total_bytes),
    // restic leaves out a 0, too: then nobody knows.
    secondsLeft: left === undefined ? null : round(left),
  }
}

/** `[0:01] 37.50%  3 / 8 packs`: how check and prune, which know no `--json` status, say what they count. */
export function readResticCount(text: string): Omit<BackupProgress, 'bytesPerSecond'> | undefined {
  const [, done, total] = /^\[[\d:]+\] +[\d.]+% +(\d{1,15}) \/ (\d{1,15}) \S/.exec(text) ?? []
  if (done === undefined || total === undefined) return undefined
  return { filesDone: Number(done), filesTotal: Number(total), bytesDone: 0, bytesTotal: 0, secondsLeft: null }
}

/** `snapshots --json` */
export const SnapshotList = z.array(z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }))
/** `key list --json` */
export const KeyList = z.array(z.object({ id: z.string().min(8), current: z.boolean() }))
/** `cat config` */
export const RepositoryConfig = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) })
/** `stats --json --mode restore-size` */
export const RestoreSize = z.object({
  total_size: z.number().nonnegative(),
  /** 0 when the snapshot is not there: 0.18 says no more than that. */
  snapshots_count: z.number().nonnegative().default(0),
})

/** A command's output as one JSON value; throws if it is no `shape`. */
export function readResticJson<T extends z.ZodType>(text: string, shape: T): z.output<T> {
  return shape.parse(parseJson(text))
}

/** Undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
