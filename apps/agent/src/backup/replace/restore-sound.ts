/**
 * Restores what is sound of a snapshot, and says what is not: one damaged pack of the store must not take every file
 * with it. restic goes on after such a file and leaves it with holes; it is removed here, so that nothing looks whole
 * that is not.
 */
import { lstat, readdir } from 'node:fs/promises'
import { z } from 'zod'
import { hasErrorCode } from '../../kernel/atomic-file.ts'
import { lossyOf, textOfBytes } from '../repository/byte-names.ts'
import { findEntry, placeOf } from '../repository/find-entry.ts'
import type { Repository, RunOptions } from '../repository/repository.ts'
import { BackupProblem, isDamage } from '../repository/restic-failure.ts'
import { parseJson } from '../repository/restic-output.ts'
import { removeTree } from './remove-tree.ts'

const JsonError = z.object({
  message_type: z.literal('error'),
  error: z.object({ message: z.string() }),
  item: z.string().startsWith('/'),
})

/** One complaint: the paths that it may be about, of which restic says in JSON alone where they end, and its words. */
interface Complaint {
  paths: string[]
  text: string
}

/**
 * Runs `restore` with `args` into `fresh`. Returns the paths below it that could not be restored, without a slash at
 * the front, their bytes as latin1; a folder stands for its whole content. Throws restic's failure if its cause is
 * other than damaged data: files that were not reached for want of a network or of room are not damaged.
 */
export async function restoreSound(
  repository: Repository,
  fresh: string,
  { args, ...options }: { args: readonly string[] } & Pick<RunOptions, 'stop' | 'patienceMs' | 'lastArgs' | 'onLine'>,
): Promise<string[]> {
  const complaints: Complaint[] = []
  let counted: number | undefined
  const take = (line: string) => {
    const complaint = readComplaint(line)
    if (complaint) complaints.push(complaint)
    counted ??= Number(/There were (\d+) errors?/.exec(line)?.[1] ?? Number.NaN) || undefined
  }
  try {
    const onLine = (line: string) => {
      take(line)
      options.onLine?.(line)
    }
    await repository.run(['restore', ...args, '--target', fresh], { ...options, onLine, onErrorLine: take })
    return []
  } catch (error) {
    // Not run to its end, or a complaint that was not understood.
    if (!(error instanceof BackupProblem) || counted !== complaints.length) throw error
    const damages = complaints.filter(({ text }) => isDamage(text))
    const damaged = new Set(damages.flatMap(({ paths }) => paths))
    if (!complaints.every((one) => isDamage(one.text) || isFollowUp(one, damaged))) throw error
    const lost = new Set<string>()
    for (const { paths } of damages) {
      const found = await findLost(fresh, paths)
      if (found.length === 0) throw error
      for (const path of found) lost.add(path)
    }
    for (const path of lost) await removeTree(placeOf(fresh, [Buffer.from(path, 'latin1')]))
    return [...lost]
  }
}

/** undefined: the line is none. */
export function readComplaint(line: string): Complaint | undefined {
  const { data } = line.startsWith('{') ? JsonError.safeParse(parseJson(line)) : { data: undefined }
  if (data) return { paths: [data.item], text: data.error.message }
  const [, said] = /^ignoring error for (\/.*)$/.exec(line) ?? []
  return said === undefined ? undefined : { paths: startsOf(said), text: said }
}

/** A file of which nothing could be read was not made: its owner and times cannot be set, which restic counts again. */
function isFollowUp({ paths, text }: Complaint, damaged: ReadonlySet<string>): boolean {
  return text.endsWith(': no such file or directory') && paths.some((path) => damaged.has(path))
}

/** How restic's words after a path begin, which may hold colons themselves. */
const wordsBegin =
  /: (?=ciphertext verification|decrypting blob|StreamPack|ReadFull|UtimesNano|lchown|Pack ID|pack |blob |id |load |tree |<data\/|unexpected )/g

/** The beginning of `said` that known words follow; with others every one that a colon follows. */
function startsOf(said: string): string[] {
  const [known] = said.matchAll(wordsBegin)
  if (known) return [said.slice(0, known.index)]
  return [...said.matchAll(/: /g)].map(({ index }) => said.slice(0, index))
}

/** The first of `paths` that is there, or that could be: its folder is. None for the root, without which nothing is. */
async function findLost(fresh: string, paths: readonly string[]): Promise<string[]> {
  for (const path of paths) {
    const found = await findLossy(fresh, path)
    if (found.length > 0) return found
  }
  for (const path of paths) {
    const names = path.slice(1).split('/')
    const parent = await findEntry(fresh, names.slice(0, -1))
    if (path !== '/' && !path.includes('\ufffd') && parent?.isDirectory())
      return [Buffer.from(path.slice(1)).toString('latin1')]
  }
  return []
}

/** All entries that restic's words may mean: bytes that are no UTF-8 are U+FFFD in them. */
async function findLossy(fresh: string, path: string): Promise<string[]> {
  let found: Buffer[] = [Buffer.alloc(0)]
  for (const name of path.slice(1).split('/')) {
    const inside = await Promise.all(
      found.map(async (above) => {
        const names = name.includes('\ufffd') ? await namesIn(placeOf(fresh, [above]), name) : [Buffer.from(name)]
        return names.map((one) => (above.length === 0 ? one : Buffer.concat([above, Buffer.from('/'), one])))
      }),
    )
    found = []
    for (const each of inside.flat()) if (await isThere(placeOf(fresh, [each]))) found.push(each)
  }
  return found.map((each) => each.toString('latin1')).filter((each) => each !== '')
}

async function namesIn(folder: Buffer, lossy: string): Promise<Buffer[]> {
  const names = await readdir(folder, { encoding: 'buffer' }).catch(() => []) // not there: then it is none of these
  return names.filter((name) => lossyOf(textOfBytes(name)) === lossy)
}

async function isThere(place: Buffer): Promise<boolean> {
  try {
    await lstat(place)
    return true
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return false
  }
}
