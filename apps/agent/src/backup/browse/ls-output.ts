/** The output of `restic ls --json`, of all versions since 0.14: the snapshot, then a line for each entry. */
import { z } from 'zod'
import { parseJson } from '../repository/restic-output.ts'

const SnapshotLine = z.object({ struct_type: z.literal('snapshot') })
const NodeLine = z.object({
  struct_type: z.literal('node'),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  size: z.number().nonnegative().catch(0),
  mtime: z.string().catch(''),
})
const Line = z.discriminatedUnion('struct_type', [SnapshotLine, NodeLine])

export type SnapshotKind = 'file' | 'folder' | 'link' | 'other'

/** An entry of a folder in a snapshot. */
export interface SnapshotEntry {
  /** As `byte-names.ts` writes it once its bytes are known; in JSON those that are no UTF-8 are U+FFFD. */
  name: string
  kind: SnapshotKind
  /** Bytes; 0 for all but files. */
  size: number
  /** ms */
  modifiedAt: number
}

export type LsLine = { line: 'snapshot' } | { line: 'entry'; path: string; entry: SnapshotEntry }

/** Undefined for a line that is neither the snapshot nor an entry. */
export function readLsLine(text: string): LsLine | undefined {
  if (!text.startsWith('{')) return undefined
  const { data } = Line.safeParse(parseJson(text))
  if (!data) return undefined
  if (data.struct_type === 'snapshot') return { line: 'snapshot' }
  const { name, path } = data
  const kind = kindOf(data.type)
  const modifiedAt = Date.parse(data.mtime) || 0
  return { line: 'entry', path, entry: { name, kind, size: kind === 'file' ? data.size : 0, modifiedAt } }
}

function kindOf(type: string): SnapshotKind {
  if (type === 'file') return 'file'
  if (type === 'dir') return 'folder'
  return type === 'symlink' ? 'link' : 'other'
}
