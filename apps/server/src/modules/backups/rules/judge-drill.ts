/**
 * Whether what came back is what was backed up. The machine that restored was not sent what to find; it reports its
 * root, and only an equal one passes.
 */
import type { ReasonKey } from '@atoll/contract/api'

/** As the backup said. `apart`: entries that changed while they were read. */
export interface Backed {
  root: string
  files: number
  apart: number
}

/** As the drill said. `warnings`: lines in which restic complained. */
export interface CameBack {
  root: string | null
  files: number
  warnings: number
}

/** More than this part of a tree that changed meanwhile is no proof. */
const mostApart = 0.05

/** Null: passed; else why not. */
export function judgeDrill(backed: Backed, back: CameBack): ReasonKey | null {
  if (back.files === 0) return 'drillNothing'
  if (back.warnings > 0) return 'drillWarned'
  if (backed.apart > mostApart * (backed.files + backed.apart)) return 'drillChanged'
  return back.root !== null && back.root === backed.root && back.files === backed.files ? null : 'drillDiffers'
}
