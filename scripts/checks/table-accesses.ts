/**
 * Which tables a source file of the server declares (`interface Tables` in a `declare module`), and which its
 * statements name: in Kysely's calls, in `sql` templates, and in SQL that stands in a plain string.
 */
import { parseSync } from 'vite'
import { hole, relationsIn } from './sql-relations.ts'

export interface TableUse {
  table: string
  line: number
  isWritten: boolean
}

export interface TablesOfFile {
  declared: string[]
  used: TableUse[]
  /** Strings that may be names of tables, where a statement takes its table from a variable; otherwise none. */
  mayBeUsed: TableUse[]
}

/** A node of the syntax tree (ESTree), of which only what is asked is known. */
interface Node {
  type: string
  start: number
  [field: string]: unknown
}

/** Methods of Kysely whose first argument is a table, or a list of tables. */
const tableMethods =
  /^(selectFrom|(inner|left|right|full|cross)Join(Lateral)?|(cross|outer)Apply|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|using|from|table|clearFrom)$/
const writingMethods = /^(insertInto|replaceInto|updateTable|deleteFrom|mergeInto)$/
/** Files without any of it hold no statement: they are not parsed. */
const hint =
  /\bsql\b|\.query\b|interface Tables|\.(selectFrom|\w+Join|\w+Apply|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\b|\b(select|insert into|update \w+|delete from|truncate|merge into|lock table)\s/i
/** SQL outside a template of `sql`. */
const statement =
  /^\s*(select\b[\s\S]*\bfrom\b|insert\s+into\b|update\b[\s\S]*\bset\b|delete\s+from\b|with\b[\s\S]*\bas\b|truncate\b|lock\s+table\b|copy\b|merge\s+into\b|table\s+\w+\s*$)/i

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)
const nameOf = (value: unknown): string | undefined =>
  isNode(value) && (value.type === 'Identifier' || value.type === 'Literal')
    ? String(value['name'] ?? value['value'])
    : undefined
const methodOf = (call: Node): string | undefined =>
  isNode(call['callee']) && call['callee'].type === 'MemberExpression' ? nameOf(call['callee']['property']) : undefined
const receiverOf = (call: Node): Node | undefined =>
  isNode(call['callee']) && isNode(call['callee']['object']) ? call['callee']['object'] : undefined

/** The text of a string or a template, with a hole for each interpolation. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  return nodesOf(node['quasis'])
    .map((quasi) => (quasi['value'] as { raw: string; cooked?: string | null }).cooked ?? '')
    .join(` ${hole} `)
}

const isSqlTag = (node: unknown): boolean =>
  isNode(node) && (node.type === 'TSInstantiationExpression' ? isSqlTag(node['expression']) : nameOf(node) === 'sql')

/** The strings that an expression may be; strings that it gets from calls or builds otherwise are read separately. */
function stringsIn(node: Node): string[] {
  const text = textOf(node)
  if (text !== undefined) return [text]
  if (node.type === 'ArrayExpression') return nodesOf(node['elements']).flatMap(stringsIn)
  if (node.type === 'ConditionalExpression') return nodesOf([node['consequent'], node['alternate']]).flatMap(stringsIn)
  if (node.type === 'LogicalExpression') return nodesOf([node['left'], node['right']]).flatMap(stringsIn)
  if (/^TS(As|Satisfies|NonNull)/.test(node.type)) return nodesOf(node['expression']).flatMap(stringsIn)
  return []
}

/** Whether a table is named by what only runs: a variable, a member, a part of a template. */
function isUnwritten(node: Node): boolean {
  if (node.type === 'TemplateLiteral') return nodesOf(node['expressions']).length > 0
  if (node.type === 'ArrayExpression') return nodesOf(node['elements']).some(isUnwritten)
  if (node.type === 'ConditionalExpression') return nodesOf([node['consequent'], node['alternate']]).some(isUnwritten)
  if (/^TS(As|Satisfies|NonNull)/.test(node.type)) return nodesOf(node['expression']).some(isUnwritten)
  return node.type === 'Identifier' || node.type === 'MemberExpression'
}

/** The common table expressions named by earlier calls of the same chain, as in `db.with('a', …).with('b', …)`. */
function commonTablesBefore(call: Node): string[] {
  const receiver = receiverOf(call)
  if (receiver?.type !== 'CallExpression') return []
  return [...commonTablesBefore(receiver), ...commonTableOf(receiver)]
}

function commonTableOf(call: Node): string[] {
  if (!/^with(Recursive)?$/.test(methodOf(call) ?? '')) return []
  const [name] = nodesOf(call['arguments'])
  if (!name) return []
  // `with('name(columns)', …)`, or `with((cte) => cte('name').materialized(), …)`
  const found = stringsIn(name)[0] ?? firstString(name)
  return found === undefined ? [] : [found.replace(/\(.*/s, '').trim()]
}

function firstString(node: Node): string | undefined {
  for (const child of Object.values(node).flatMap(nodesOf)) {
    const found = textOf(child) ?? firstString(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** `table as t` → `table`; `public.table` → `table` */
const withoutAlias = (text: string) =>
  text
    .trim()
    .replace(/\s+as\s[\s\S]*$/i, '')
    .replace(/^public\./, '')

export function tablesOf(file: string, source: string): TablesOfFile {
  if (!hint.test(source)) return { declared: [], used: [], mayBeUsed: [] }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const declared: string[] = []
  const used: TableUse[] = []
  const written: TableUse[] = []
  let hasUnwritten = false
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const lineOf = (at: number) => ends.filter((end) => end < at).length + 1
  const use = (table: string, at: number, visible: ReadonlySet<string>, isWritten = false) => {
    if (!visible.has(table)) used.push({ table, line: lineOf(at), isWritten })
  }

  function visit(node: Node, visible: ReadonlySet<string>): void {
    if (node.type === 'TSInterfaceDeclaration' && nameOf(node['id']) === 'Tables') {
      const members = isNode(node['body']) ? nodesOf(node['body']['body']) : []
      declared.push(...members.flatMap((member) => nameOf(member['key']) ?? []))
    } else if (node.type === 'TaggedTemplateExpression' && isSqlTag(node['tag']) && isNode(node['quasi'])) {
      visitSql(node['quasi'], visible)
    } else if (node.type === 'CallExpression') visitCall(node, visible)
    else if (statement.test(textOf(node) ?? '')) visitSql(node, visible)
    else if (node.type !== 'ImportDeclaration') visitRest(node, visible)
  }

  function visitRest(node: Node, visible: ReadonlySet<string>): void {
    const text = textOf(node)
    if (text !== undefined) {
      const table = withoutAlias(text)
      if (/^[\w.]+$/.test(table)) written.push({ table, line: lineOf(node.start), isWritten: true })
    }
    for (const child of Object.values(node).flatMap(nodesOf)) visit(child, visible)
  }

  function visitSql(node: Node, visible: ReadonlySet<string>): void {
    const { relations, visibleAtHoles } = relationsIn(textOf(node) ?? '', visible)
    for (const { name, isWritten } of relations) use(name, node.start, visible, isWritten)
    nodesOf(node['expressions']).forEach((expression, index) => {
      visit(expression, visibleAtHoles[index] ?? visible)
    })
  }

  function visitCall(node: Node, visible: ReadonlySet<string>): void {
    const method = methodOf(node) ?? ''
    const args = nodesOf(node['arguments'])
    const before = new Set([...visible, ...commonTablesBefore(node)])
    const isClass = /^[A-Z]/.test(nameOf(receiverOf(node)) ?? '')
    if (args[0] && !isClass && tableMethods.test(method)) {
      for (const text of stringsIn(args[0])) use(withoutAlias(text), args[0].start, before, writingMethods.test(method))
      hasUnwritten ||= isUnwritten(args[0])
    }
    if (args[0] && isSqlTag(receiverOf(node))) {
      const texts = args.flatMap(stringsIn)
      if (method === 'raw') for (const arg of args) visitSql(arg, before)
      if (method === 'ref')
        for (const text of texts) use(withoutAlias(text).replace(/\.[^.]*$/, ''), node.start, before)
      if (method === 'id') for (const text of texts) use(text, node.start, before)
      hasUnwritten ||= /^(raw|table|id)$/.test(method) && args.some(isUnwritten)
    }
    if (isNode(node['callee'])) visit(node['callee'], visible)
    const isRecursive = method === 'withRecursive'
    const inArguments = isRecursive ? new Set([...before, ...commonTableOf(node)]) : before
    for (const arg of args) visit(arg, inArguments)
  }

  visit(program as unknown as Node, new Set())
  return { declared, used, mayBeUsed: hasUnwritten ? written : [] }
}
