/** Takes out of a tree that was replaced all that a snapshot holds; what is left nobody else has. */
import { type BigIntStats, lstatSync } from 'node:fs'
import { chmod, rmdir, unlink } from 'node:fs/promises'
import { hasErrorCode } from '../../kernel/atomic-file.ts'
import { createBreath, type Place, walk } from '../manifest/tree-walk.ts'
import { type HeldEntries, isHeld } from './held-entries.ts'

/** The right to take names out of a folder that one owns. */
const ownerWrites = 0o300n

/**
 * Removes from `tree`, which was at `names` below the backed up folder, every entry that is in `held`; `isHeldItself`
 * is for a tree that is one file, whose own stamp its move has changed. Entries that are not held, and those that
 * cannot be removed, stay. May be cut off anywhere and done again.
 */
export async function removeHeld(
  tree: string,
  names: readonly string[],
  { held, isHeldItself }: { held: HeldEntries; isHeldItself: boolean },
): Promise<void> {
  const top = lstatSync(tree, { bigint: true, throwIfNoEntry: false })
  if (!top) return
  if (!top.isDirectory()) return isHeldItself ? await unlink(tree) : undefined
  const above = Buffer.from(names.map((name) => `${name}/`).join('')).toString('latin1')
  const folders: { place: Place; stats: BigIntStats; isKnown: boolean }[] = [
    { place: tree, stats: top, isKnown: names.length === 0 || isHeld(held, above.slice(0, -1), top) },
  ]
  // All are asked for before any is removed: that changes the times of what shares its bytes by another name.
  const gone: Place[] = []
  const breathe = createBreath()
  for (const entries of walk(tree, ['.'])) {
    for (const { path, place, stats } of entries) {
      const isKnown = isHeld(held, above + path, stats)
      if (stats.isDirectory()) folders.push({ place, stats, isKnown })
      else if (isKnown) gone.push(place)
    }
    const pause = breathe()
    if (pause) await pause
  }
  const shut = folders.filter(({ stats }) => (stats.mode & ownerWrites) !== ownerWrites)
  for (const { place, stats } of shut) await chmod(place, Number((stats.mode | ownerWrites) & 0o7777n)).catch(leave)
  for (const place of gone) await unlink(place).catch(leave)
  // The walk meets a folder before those in it.
  for (const { place, isKnown } of folders.reverse()) if (isKnown) await rmdir(place).catch(leave)
  for (const { place, stats } of shut) await chmod(place, Number(stats.mode & 0o7777n)).catch(leave)
}

/** Not ours to remove, or not empty: it stays with what is kept. */
function leave(error: unknown): void {
  const codes = ['ENOENT', 'EACCES', 'EPERM', 'EBUSY', 'EROFS', 'ENOTEMPTY', 'EEXIST'] as const
  if (!hasErrorCode(error, ...codes)) throw error
}
