/**
 * Reading messages of other programs (wire, "Words we do not know yet"). A schema is closed for sending; the same
 * schema is open for reading, since the sender may be newer than the reader:
 *
 * - a word that an enum does not have is kept; in a list of words, such as actions, it is left out;
 * - a field that a strict object does not have is left out, as from any other object;
 * - a row of a list that cannot be read is left out of the list, which counts it (`unreadableRows`): a page that
 *   shows the list draws it as a row of its own, and forms no total over the list;
 * - any other mismatch fails the whole answer.
 *
 * Types name the known words. A value that belongs to a word is found with `lookUp`.
 */
import type { z } from 'zod'

type Path = readonly PropertyKey[]
interface Word {
  path: Path
  word: string
}

/** Rounds of reading: the first word that is not known may hide others, as in a discriminated union. */
const mostRounds = 50
/** Words that answers had and no enum has. A broken server must not fill the memory of a page. */
const mostNewWords = 1000

const newWords = new Set<string>()
const unreadable = new WeakMap<object, number>()

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

/** How many rows a list of an answer has, those that could not be read too; undefined while there is no answer. */
export function countRows(rows: readonly unknown[] | undefined): number | undefined {
  return rows && rows.length + unreadableRows(rows)
}

/** Returns `rows`, made from those of `lists`, with the count of rows that could not be read. */
export function countUnreadable<Rows extends object>(rows: Rows, ...lists: readonly (object | undefined)[]): Rows {
  const count = lists.reduce((sum: number, list) => sum + unreadableRows(list), 0)
  if (count > 0) unreadable.set(rows, count)
  return rows
}

/** Whether a list anywhere in `data` lacks rows: such data must not be copied, which would lose the count. */
export function lacksRows(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return unreadable.has(data) || Object.values(data).some(lacksRows)
}

/** Reads `value` by `schema` as the head of this file says. */
export function readOpen<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const first = schema.safeParse(value)
  if (first.success) return first
  const current = structuredClone(value)
  const words: Word[] = []
  const lost = new Map<string, { path: Path; count: number }>()
  let parsed: z.ZodSafeParseResult<z.output<Schema>> = first
  for (let round = 0; !parsed.success && round < mostRounds; round += 1) {
    if (!mend(parsed.error.issues, current, words, lost)) return first
    parsed = schema.safeParse(current)
  }
  if (!parsed.success) return first
  const read: { data: unknown } = { data: parsed.data }
  for (const { path, word } of words) {
    remember(word)
    put(read, ['data', ...path], word)
  }
  for (const { path, count } of lost.values()) {
    const rows = follow(read.data, path)
    if (typeof rows === 'object' && rows !== null) unreadable.set(rows, count)
  }
  return { success: true, data: read.data as z.output<Schema> } // parsed, with words that only a newer sender has

  function remember(word: string): void {
    if (newWords.size < mostNewWords) newWords.add(word)
  }
}

/** Changes `value` so that `issues` go, and notes what is to be put back; false: one of them cannot be mended. */
function mend(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  words: Word[],
  lost: Map<string, { path: Path; count: number }>,
): boolean {
  /** Elements to take out, the last of each list first, so that the others keep their places. */
  const out = new Map<string, { path: Path; at: number; isRow: boolean }>()
  for (const issue of issues.flatMap(inOption)) {
    const { path } = issue
    if (issue.code === 'unrecognized_keys') {
      const strict = follow(value, path)
      for (const key of issue.keys)
        if (typeof strict === 'object' && strict !== null) Reflect.deleteProperty(strict, key)
      continue
    }
    const found = follow(value, path)
    const known = typeof found === 'string' ? knownWord(issue) : undefined
    const at = path.at(-1)
    if (known === undefined) {
      const row = outermostRow(value, path)
      if (row === undefined) return false
      const list = path.slice(0, row)
      out.set(JSON.stringify(path.slice(0, row + 1)), { path: list, at: Number(path[row]), isRow: true })
    } else if (typeof at === 'number') {
      out.set(JSON.stringify(path), { path: path.slice(0, -1), at, isRow: false })
    } else {
      words.push({ path, word: found as string }) // checked where `known` is
      const parent = follow(value, path.slice(0, -1))
      if (at === undefined || typeof parent !== 'object' || parent === null) return false
      Object.assign(parent, { [at]: known })
    }
  }
  for (const { path, at, isRow } of [...out.values()].toSorted((a, b) => b.at - a.at)) {
    const list = follow(value, path)
    if (!Array.isArray(list)) return false
    list.splice(at, 1)
    for (const word of [...words]) if (!moveUp(word, path, at)) words.splice(words.indexOf(word), 1)
    if (!isRow) continue
    const key = JSON.stringify(path)
    lost.set(key, { path, count: (lost.get(key)?.count ?? 0) + 1 })
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

/** Where in `path` the outermost list of objects has its index. */
function outermostRow(value: unknown, path: Path): number | undefined {
  const row = path.findIndex((key, at) => {
    const list = typeof key === 'number' ? follow(value, path.slice(0, at)) : undefined
    return Array.isArray(list) && list.some((one) => typeof one === 'object' && !Array.isArray(one))
  })
  return row === -1 ? undefined : row
}

/** After element `at` of the list at `list` went: follows a word to its new place; false: it went with it. */
function moveUp(word: Word, list: Path, at: number): boolean {
  const index = word.path[list.length]
  if (typeof index !== 'number' || list.some((key, depth) => word.path[depth] !== key)) return true
  if (index === at) return false
  if (index > at) word.path = word.path.with(list.length, index - 1)
  return true
}

function follow(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  )
}

function put(target: object, path: Path, word: string): void {
  const parent = follow(target, path.slice(0, -1))
  const key = path.at(-1)
  if (typeof parent === 'object' && parent !== null && key !== undefined) Object.assign(parent, { [key]: word })
}
