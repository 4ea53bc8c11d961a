/**
 * The relations that a raw SQL statement, or a piece of one, names where a table may stand: after `from`, `join`,
 * `into`, `update`, `using`, `table`, `truncate` and the like, and after each comma of such a list. The names of the
 * statement's own common table expressions are none; inside its own body such a name is the table, unless the
 * expression is recursive.
 */

/** Stands for an interpolation in the text of a template. */
export const hole = '\u0001'

export interface Relation {
  /** As written, in lower case unless quoted: `clusters`, `graphile_worker.jobs`; `public.` is left out. */
  name: string
  isWritten: boolean
}

export interface SqlRelations {
  relations: Relation[]
  /** For each hole, in order, the common table expressions that are visible there. */
  visibleAtHoles: ReadonlySet<string>[]
}

interface Token {
  text: string
  isName: boolean
  /** The index of the bracket that closes this one, or of the end of the text. */
  closes?: number
  /** The index of the bracket around it; -1 outside all. */
  parent: number
}

interface CommonTable {
  name: string
  from: number
  until: number
}

const tokenPattern = new RegExp(
  String.raw`--[^\n]*|/\*[\s\S]*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|${hole}|[A-Za-z_][\w$]*|\d[\w.]*|\S`,
  'g',
)

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const open: number[] = []
  for (const [found] of text.matchAll(tokenPattern)) {
    if (found.startsWith('--') || found.startsWith('/*')) continue
    if (found === ')') {
      const start = tokens[open.pop() ?? -1]
      if (start) start.closes = tokens.length
    }
    const isQuoted = found.startsWith('"')
    const isName = isQuoted || /^[A-Za-z_]/.test(found)
    const word = isQuoted ? found.slice(1, -1) : found.toLowerCase()
    tokens.push({ text: word, isName, parent: open.at(-1) ?? -1 })
    if (found === '(') open.push(tokens.length - 1)
  }
  for (const index of open) {
    const start = tokens[index]
    if (start) start.closes = tokens.length
  }
  return tokens
}

/** `with [recursive] name [(columns)] as [[not] materialized] (…), …` */
function commonTablesOf(tokens: readonly Token[]): CommonTable[] {
  const found: CommonTable[] = []
  const textAt = (index: number) => tokens[index]?.text
  for (const [start, { text, parent }] of tokens.entries()) {
    if (text !== 'with') continue
    const isRecursive = textAt(start + 1) === 'recursive'
    const until = tokens[parent]?.closes ?? tokens.length
    for (let at = start + (isRecursive ? 2 : 1); ; at += 1) {
      const name = textAt(at)
      at += 1
      if (textAt(at) === '(') at = (tokens[at]?.closes ?? at) + 1
      if (name === undefined || textAt(at) !== 'as') break
      at += 1
      while (textAt(at) === 'not' || textAt(at) === 'materialized') at += 1
      const end = tokens[at]?.closes
      if (end === undefined) break
      found.push({ name, from: isRecursive ? start : end, until })
      at = end + 1
      if (textAt(at) !== ',') break
    }
  }
  return found
}

const begins = new Set(['from', 'join', 'into', 'update', 'using', 'table', 'truncate', 'copy', 'references', 'lock'])
const writes = new Set(['into', 'update', 'truncate', 'copy', 'lock'])
const lists = new Set(['from', 'using', 'truncate', 'lock', 'table'])
/** Words that may stand between such a keyword and the table. */
const fillers = new Set(['only', 'lateral', 'if', 'not', 'exists', 'table'])
const listEnds = new Set(
  'where group order having limit offset union intersect except returning set window fetch select ;'.split(' '),
)
const statements = new Set(['select', 'with', 'values', 'insert', 'update', 'delete'])
/** Functions whose arguments are parted by `from`. */
const fromFunctions = new Set(['extract', 'substring', 'trim', 'overlay', 'position'])

/** Whether a word that could announce a table does so where it stands. */
function announces(tokens: readonly Token[], at: number): boolean {
  const [word, before, after] = [tokens[at]?.text ?? '', tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? '']
  if (!begins.has(word) || before === '.' || after === '.') return false
  if (word === 'from') {
    // `is [not] distinct from`, and `extract(epoch from …)`
    if (before === 'distinct' && ['is', 'not'].includes(tokens[at - 2]?.text ?? '')) return false
    const { parent = -1 } = tokens[at] ?? {}
    return !fromFunctions.has(tokens[parent - 1]?.text ?? '')
  }
  // `for update`, `for no key update`, `do update`, `on update`
  if (word === 'update') return !['for', 'key', 'do', 'on'].includes(before)
  // `truncate table`, `lock table`
  if (word === 'table') return !lists.has(before)
  // `join … using (columns)`
  if (word === 'using') return after !== '('
  return true
}

/** The relation that is named at `at`; undefined: a subquery, a function, a hole. */
function relationAt(tokens: readonly Token[], at: number, mayHaveColumns: boolean): string | undefined {
  let place = at
  // Brackets around joined tables.
  while (tokens[place]?.text === '(' && !statements.has(tokens[place + 1]?.text ?? '')) place += 1
  while (fillers.has(tokens[place]?.text ?? '')) place += 1
  const first = tokens[place]
  if (!first?.isName || statements.has(first.text)) return undefined
  const isQualified = tokens[place + 1]?.text === '.' && tokens[place + 2]?.isName
  const last = isQualified ? tokens[place + 2]?.text : first.text
  const isCalled = tokens[place + (isQualified ? 3 : 1)]?.text === '('
  if (isCalled && !mayHaveColumns) return undefined
  return isQualified && first.text !== 'public' ? `${first.text}.${last}` : last
}

/** @param visible common table expressions of the statement around it. */
export function relationsIn(text: string, visible: ReadonlySet<string> = new Set()): SqlRelations {
  const tokens = tokensOf(text)
  const commonTables = commonTablesOf(tokens)
  const visibleAt = (at: number) =>
    new Set([...visible, ...commonTables.filter(({ from, until }) => at > from && at < until).map(({ name }) => name)])
  const places: { at: number; mayHaveColumns: boolean; isWritten: boolean }[] = []
  for (const [at, { text: word, parent }] of tokens.entries()) {
    if (!announces(tokens, at)) continue
    const mayHaveColumns = ['into', 'copy', 'references'].includes(word)
    const isWritten = writes.has(word) || tokens[at - 1]?.text === 'delete'
    places.push({ at: at + 1, mayHaveColumns, isWritten })
    if (!lists.has(word)) continue
    for (let next = at + 1; next < tokens.length && next !== tokens[parent]?.closes; next += 1) {
      const token = tokens[next]
      if (token?.closes !== undefined) next = token.closes
      else if (token?.text === ',') places.push({ at: next + 1, mayHaveColumns, isWritten })
      else if (listEnds.has(token?.text ?? '') || (token?.text === 'using' && announces(tokens, next))) break
    }
  }
  // A piece that is one name alone is put where a table stands.
  const isNameAlone = tokens.length === 1 || (tokens.length === 3 && tokens[1]?.text === '.')
  if (isNameAlone) places.push({ at: 0, mayHaveColumns: false, isWritten: false })
  const relations = places.flatMap(({ at, mayHaveColumns, isWritten }) => {
    const name = relationAt(tokens, at, mayHaveColumns)
    return name === undefined || visibleAt(at).has(name) ? [] : [{ name, isWritten }]
  })
  const holes = [...tokens.entries()].filter(([, token]) => token.text === hole)
  return { relations, visibleAtHoles: holes.map(([at]) => visibleAt(at)) }
}
