/** Stamps of a tree at one moment, to find later changes. */
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { createBreath, walk } from './tree-walk.ts'

export interface TreeStamps {
  /** SHA-256 of all paths and stamps in the order of the walk: equal only where nothing changed. Hex. */
  digest: string
  /** When each path was last changed, as `stampOf`; by its name as latin1, which keeps any bytes. */
  byPath(): ReadonlyMap<string, string>
}

type Stamped = Pick<BigIntStats, 'ino' | 'ctimeNs' | 'mtimeNs' | 'size' | 'mode'>

/** Changes with whatever is done to a file: its time of change cannot be set by hand. */
export function stampOf({ ino, ctimeNs, mtimeNs, size, mode }: Stamped): string {
  return `${ino}:${ctimeNs}:${mtimeNs}:${size}:${mode}`
}

/** Figures of a stamp. */
const figures = 5

/** `places` below `root`, without a slash at the front; `.` is all of it. */
export async function stampTree(root: string, places: readonly string[]): Promise<TreeStamps> {
  const hash = createHash('sha256')
  const paths: string[] = []
  // As numbers: as text, which is rarely asked for, they would take longer than reading the files.
  const stamps: BigInt64Array[] = []
  const breathe = createBreath()
  for (const entries of walk(root, places)) {
    const numbers = new BigInt64Array(entries.length * figures)
    let at = 0
    for (const { path, stats } of entries) {
      paths.push(path)
      numbers[at] = stats.ino
      numbers[at + 1] = stats.ctimeNs
      numbers[at + 2] = stats.mtimeNs
      numbers[at + 3] = stats.size
      numbers[at + 4] = stats.mode
      at += figures
    }
    stamps.push(numbers)
    hash.update(`${entries.map(({ path }) => path).join('\0')}\0\0`, 'latin1').update(numbers)
    const pause = breathe()
    if (pause) await pause
  }
  return { digest: hash.digest('hex'), byPath: () => mapOf(paths, stamps) }
}

function mapOf(paths: readonly string[], stamps: readonly BigInt64Array[]): Map<string, string> {
  const byPath = new Map<string, string>()
  for (const numbers of stamps) {
    for (let at = 0; at < numbers.length; at += figures) {
      const [ino = 0n, ctimeNs = 0n, mtimeNs = 0n, size = 0n, mode = 0n] = numbers.subarray(at, at + figures)
      const stamp = stampOf({ ino: BigInt.asUintN(64, ino), ctimeNs, mtimeNs, size, mode })
      byPath.set(paths[byPath.size] ?? '', stamp)
    }
  }
  return byPath
}
