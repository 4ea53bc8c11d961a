import type { Translate } from '../i18n/text.ts'

/** A name of a backup, or a path, as a person reads it: the agent writes bytes that are no text as such characters. */
export function readableName(name: string): string {
  return name.replace(/[\u{10ff80}-\u{10ffff}]/gu, '\ufffd')
}

/** The longest name that ext4, xfs and btrfs allow, bytes of UTF-8, less room for a number. */
const maxNameBytes = 255 - 10

/** The name of an entry beside one that has its name: `notes (from 23 Nov 2026).txt`; `day` as a person reads it. */
export function besideNameOf(name: string, day: string, t: Translate): string {
  return nameWith(name, (stem) => t('backups.besideName', { name: stem, day }))
}

/** The new name of the entry that it replaces: `notes (replaced 23 Nov 2026).txt`. */
export function keptNameOf(name: string, day: string, t: Translate): string {
  return nameWith(name, (stem) => t('backups.keptName', { name: stem, day }))
}

function nameWith(name: string, write: (stem: string) => string): string {
  // The drive refuses those in a name that it is given.
  name = readableName(name).replace(/[\p{Cc}\\]/gu, '_')
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const letters = [...stem]
  const isLong = (text: string) => new TextEncoder().encode(text).length > maxNameBytes
  // A slash of a date would be a folder.
  const written = () => write(letters.join('')).replaceAll('/', '-') + extension
  while (letters.length > 1 && isLong(written())) letters.pop()
  return written()
}
