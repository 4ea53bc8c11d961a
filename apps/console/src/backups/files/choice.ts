/** Which entries of a snapshot are chosen: each by its path, a folder with all that is in it. */
import type { LookEntry } from '@atoll/contract/backups'

export type Choice = ReadonlyMap<string, LookEntry>
/** `none` of it, `some` of what is in it, itself, or as a part of a folder that is chosen. */
export type Chosen = 'none' | 'some' | 'itself' | 'within'

export function pathIn(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

export function chosenOf(choice: Choice, path: string): Chosen {
  if (choice.has(path)) return 'itself'
  if (folderAbove(choice, path) !== undefined) return 'within'
  const inside = `${path}/`
  for (const each of choice.keys()) if (each.startsWith(inside)) return 'some'
  return 'none'
}

/** The chosen folder that `path` lies in. */
export function folderAbove(choice: Choice, path: string): string | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end)
    if (choice.has(above)) return above
  }
  return undefined
}

/** With `path` chosen, which takes the place of what was chosen in it; or without it, where it was. */
export function toggle(choice: Choice, path: string, entry: LookEntry): Choice {
  const next = new Map(choice)
  if (next.delete(path)) return next
  for (const each of choice.keys()) if (each.startsWith(`${path}/`)) next.delete(each)
  return next.set(path, entry)
}

/** With all of a folder's shown entries chosen; or, where they are already, without them. */
export function toggleAll(choice: Choice, entries: ReadonlyMap<string, LookEntry>): Choice {
  const open = [...entries].filter(([path]) => chosenOf(choice, path) !== 'within')
  const isAll = open.every(([path]) => choice.has(path))
  return open
    .filter(([path]) => isAll || !choice.has(path))
    .reduce((next, [path, entry]) => toggle(next, path, entry), choice)
}

/** Of all these entries together. */
export function chosenOfAll(choice: Choice, paths: readonly string[]): Chosen {
  const each = new Set(paths.map((path) => chosenOf(choice, path)))
  if (each.size === 1 && each.has('within')) return 'within'
  if (each.has('none') || each.has('some')) return each.size === 1 && each.has('none') ? 'none' : 'some'
  return each.size === 0 ? 'none' : 'itself'
}

/** A chosen folder alone, or the folder that all that is chosen lies in. */
export function folderOf(choice: Choice): string {
  const [first, ...more] = [...choice]
  if (!first) return '/'
  const [path, { kind }] = first
  if (more.length === 0 && kind === 'folder') return path
  let folder = path.slice(0, path.lastIndexOf('/'))
  while (more.some(([each]) => !each.startsWith(`${folder}/`))) folder = folder.slice(0, folder.lastIndexOf('/'))
  return folder === '' ? '/' : folder
}

/** Files and bytes of all that is chosen; null: of a folder nobody knows how much is in it. */
export function sumOf(choice: Choice): { files: number | null; bytes: number | null } {
  let [files, bytes]: (number | null)[] = [0, 0]
  for (const entry of choice.values()) {
    const count = entry.kind === 'folder' ? entry.files : 1
    files = files === null || files === undefined || count === null ? null : files + count
    bytes = bytes === null || bytes === undefined || entry.size === null ? null : bytes + entry.size
  }
  return { files: files ?? null, bytes: bytes ?? null }
}

const byteCharacter = /[\u{10ff80}-\u{10ffff}]/gu

/** As a person reads a name: the machine writes each byte that is no UTF-8 as a character that means nothing. */
export function readableName(name: string): string {
  return name.replace(byteCharacter, '\ufffd')
}

/** Whether it can be put where it was: a name that is no UTF-8 comes back in a new folder alone. */
export function isPlain(path: string): boolean {
  return path.search(byteCharacter) === -1
}
