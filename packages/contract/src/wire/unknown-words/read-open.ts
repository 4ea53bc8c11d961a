/**
 * Reading messages of other programs (wire, "Words we do not know yet"). A schema is closed for sending; the same
 * schema is open for reading, since the sender may be newer than the reader:
 *
 * - a word that an enum does not have is kept; in a list of words, such as actions, it is left out;
 * - a field that a strict object does not have is left out, as from any other object;
 * - a row of a list that cannot be read is left out of the list, which counts it (`unreadableRows`): a page that
 *   shows the list draws it as a row of its own, and forms no total over the list. Of rows inside rows the innermost
 *   goes; one around it only where it cannot be read without it;
 * - any other mismatch fails the whole answer.
 *
 * Types name the known words. A value that belongs to a word is found with `lookUp`.
 */
import type { z } from 'zod'

type Path = readonly PropertyKey[]
/** A word that was put out of the way, or a list and how many of its rows went. */
interface Change {
  path: Path
  word?: string
  count: number
}

/** Rounds of reading: the first word that is not known may hide others, as in a discriminated union. */
const mostRounds = 50
/** Words that answers had and no enum has. A broken server must not fill the memory of a page. */
const mostNewWords = 1000

const newWords = new Set<string>()
/** Lists, and how many of their rows could not be read. */
export const unreadable = new WeakMap<object, number>()

/**
 * The word for which the missing text `key` was asked, where it is one that the contract does not have: `key` is the
 * word, or a dotted path that ends in it or names it last, maybe with an ending (`state.Dreaming`,
 * `domain.DREAMING_lead`).
 */
export function newWordIn(key: string): string | undefined {
  return [...newWords].find((word) => key.endsWith(word) || key.includes(`.${word}`))
}

/** The value of `table` for `word`; `unknown` for a word from a newer program. */
export function lookUp<Word extends string, Value>(table: Readonly<Record<Word, Value>>, word: Word, unknown: Value) {
  return Object.hasOwn(table, word) ? table[word] : unknown
}

/** How many rows of a list that `readOpen` read are not in it, as they could not be read. */
export function unreadableRows(rows: object | undefined): number {
  return rows === undefined ? 0 : (unreadable.get(rows) ?? 0)
}

/** Reads `value` by `schema` as the head of this file says. */
export function readOpen<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const first = schema.safeParse(value)
  if (first.success) return first
  const current = structuredClone(value)
  const changes: Change[] = []
  let parsed: z.ZodSafeParseResult<z.output<Schema>> = first
  for (let round = 0; !parsed.success && round < mostRounds; round += 1) {
    if (!mend(parsed.error.issues, current, changes)) return first
    parsed = schema.safeParse(current)
  }
  if (!parsed.success) return first
  const read: { data: unknown } = { data: parsed.data }
  for (const { path, word, count } of changes) {
    const at = ['data', ...path]
    const key = at.at(-1)
    const target = follow(read, word === undefined ? at : at.slice(0, -1))
    if (typeof target !== 'object' || target === null || key === undefined) continue
    if (word === undefined) unreadable.set(target, count)
    else {
      if (newWords.size < mostNewWords) newWords.add(word)
      Object.assign(target, { [key]: word })
    }
  }
  return { success: true, data: read.data as z.output<Schema> } // parsed, with words that only a newer sender has
}

/** Changes `value` so that `issues` go, and notes what is to be put back; false: one of them cannot be mended. */
function mend(issues: readonly z.core.$ZodIssue[], value: unknown, changes: Change[]): boolean {
  const out = new Map<string, { list: Path; at: number; isRow: boolean }>()
  for (const issue of issues.flatMap(inOption)) {
    const { path } = issue
    const found = follow(value, path)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) if (typeof found === 'object' && found !== null) Reflect.deleteProperty(found, key)
      continue
    }
    const known = typeof found === 'string' ? knownWord(issue) : undefined
    const isRow = known === undefined
    const place = isRow ? innermostRow(value, path) : path.length - 1
    const at = path[place]
    const list = path.slice(0, place)
    if (isRow || typeof at === 'number') {
      if (typeof at !== 'number') return false
      out.set(JSON.stringify([list, at]), { list, at, isRow })
    } else {
      changes.push({ path, word: found as string, count: 0 }) // checked where `known` is
      const parent = follow(value, list)
      if (at === undefined || typeof parent !== 'object' || parent === null) return false
      Object.assign(parent, { [at]: known })
    }
  }
  // Inner ones first, and the last of each list first, so that the others keep their places.
  const sorted = [...out.values()].toSorted((a, b) => b.list.length - a.list.length || b.at - a.at)
  for (const { list, at, isRow } of sorted) {
    const rows = follow(value, list)
    if (!Array.isArray(rows)) return false
    rows.splice(at, 1)
    moveUp(changes, list, at)
    if (!isRow) continue
    const known = changes.find(({ path, word }) => word === undefined && path.join() === list.join())
    if (known) known.count += 1
    else changes.push({ path: list, count: 1 })
  }
  return true
}

/** Of a value that fits no option of a union: the issues of the option that only lacks words, else the one issue. */
function inOption(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const options = issue.errors.map((inner) => inner.flatMap(inOption))
  const option = options.find((inner) => inner.length > 0 && inner.every((one) => knownWord(one) !== undefined))
  return option?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? [issue]
}

/** A word that may stand where the issue is; undefined: the issue is another. */
function knownWord(issue: z.core.$ZodIssue): string | undefined {
  return issue.code === 'invalid_value' ? issue.values.find((known) => typeof known === 'string') : undefined
}

/** Where in `path` the innermost list of objects has its index; -1: nowhere. */
function innermostRow(value: unknown, path: Path): number {
  return path.findLastIndex((key, at) => {
    const list = typeof key === 'number' ? follow(value, path.slice(0, at)) : undefined
    return Array.isArray(list) && list.some((one) => typeof one === 'object' && !Array.isArray(one))
  })
}

/** After element `at` of `list` went: changes in it go too, and those behind it move up. */
function moveUp(changes: Change[], list: Path, at: number): void {
  const stay = changes.filter((change) => {
    const index = change.path[list.length]
    if (typeof index !== 'number' || list.some((key, depth) => change.path[depth] !== key)) return true
    if (index > at) change.path = change.path.with(list.length, index - 1)
    return index !== at
  })
  changes.splice(0, changes.length, ...stay)
}

function follow(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )
}
