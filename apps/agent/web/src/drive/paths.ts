/** Paths of the drive: absolute, `/` between names, `/` alone is the drive itself. */

export function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folders from below the drive down to `path`, each with its own path. */
export function listCrumbs(path: string): { name: string; path: string }[] {
  const names = path.split('/').filter(Boolean)
  return names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }))
}

/** Whether `inner` is `folder` or lies in it. */
export function isWithin(inner: string, folder: string): boolean {
  return inner === folder || inner.startsWith(folder === '/' ? '/' : `${folder}/`)
}

export type EntryNameFault = 'empty' | 'slash' | 'long'

/** The fault of a new name; the server refuses a little more (control characters), in its own words. */
export function findEntryNameFault(name: string): EntryNameFault | undefined {
  if (name === '') return 'empty'
  if (name.includes('/') || name.includes('\\') || name === '.' || name === '..') return 'slash'
  return new TextEncoder().encode(name).length > 255 ? 'long' : undefined
}

/** The next name beside one that is taken: `reef.jpg` → `reef (2).jpg` → `reef (3).jpg`. */
export function nextFreeName(name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const numbered = /^(.*) \((\d+)\)$/.exec(stem)
  return numbered ? `${numbered[1]} (${Number(numbered[2]) + 1})${extension}` : `${stem} (2)${extension}`
}
