/** Names of at most so many characters are shown as they are. */
const shortName = 16
/** Characters of the stem that stay in sight before the type. */
const keptOfStem = 4
const characters = new Intl.Segmenter()

/** A long `name` in two: the end keeps its type in sight, the beginning may be cut. Undefined of a short one. */
export function cutName(name: string): { beginning: string; end: string } | undefined {
  const all = Array.from(characters.segment(name), ({ segment }) => segment)
  if (all.length <= shortName) return undefined
  const type = /\.[\p{L}\p{N}]{1,8}$/u.exec(name)?.[0] ?? ''
  const end = all.slice(-(type.length + keptOfStem)).join('')
  return { beginning: name.slice(0, name.length - end.length), end }
}

/** The tip of an element that shows `name`: all of it, where it may be cut. */
export const tipOfName = (name: string): string | undefined => (cutName(name) ? name : undefined)
