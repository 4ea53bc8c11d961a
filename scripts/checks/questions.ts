/**
 * A function whose name asks writes nothing: a caller who reads `isPaid` or `findCard` does not expect that asking
 * twice differs from asking once. Followed are statements, jobs and postings, through the project's own functions at
 * the top of their files; members of objects that are handed in are not.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { resolveImport } from './imports.ts'
import { relationsIn } from './sql-relations.ts'

/** A node of the syntax tree (ESTree), of which only what is asked is known. */
interface Node {
  type: string
  start: number
  [field: string]: unknown
}

interface Found {
  file: string
  name: string
  line: number
  /** Names that it calls or hands on, as its file knows them. */
  mentions: ReadonlySet<string>
  writes: boolean
}

const server = 'apps/server/src/'
const isTest = (file: string) => /\.(test|fixture)\.ts$|\/testing\//.test(file)
const question = /^(may|is|are|was|can|has|does|owes|find|get|list|read|why)(?![a-z])/
const writingMethods = /^(insertInto|replaceInto|updateTable|deleteFrom|mergeInto)$/
/** Functions of the database that write. */
const writingCalls = /\b(ledger_post|graphile_worker\.add_job|pg_notify)\s*\(/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)
const nameOf = (value: unknown): string => (isNode(value) ? String(value['name'] ?? value['value'] ?? '') : '')

/** Whether the node itself is a statement that writes. */
function isWrite(node: Node): boolean {
  if (node.type === 'CallExpression' && isNode(node['callee']) && node['callee'].type === 'MemberExpression')
    return writingMethods.test(nameOf(node['callee']['property']))
  if (node.type !== 'TemplateLiteral') return false
  const text = nodesOf(node['quasis'])
    .map((quasi) => (quasi['value'] as { raw: string }).raw)
    .join(' 1 ')
  if (!/\b(insert|update|delete|merge|truncate|ledger_post|add_job|pg_notify)\b/i.test(text)) return false
  return writingCalls.test(text) || relationsIn(text, new Set()).relations.some(({ isWritten }) => isWritten)
}

function readFunction(node: Node): { mentions: Set<string>; writes: boolean } {
  const mentions = new Set<string>()
  let writes = false
  const visit = (one: Node): void => {
    if (isWrite(one)) writes = true
    if (one.type === 'CallExpression')
      for (const named of nodesOf([one['callee'], ...nodesOf(one['arguments'])]))
        if (named.type === 'Identifier') mentions.add(nameOf(named))
    for (const child of Object.values(one).flatMap(nodesOf)) visit(child)
  }
  visit(node)
  return { mentions, writes }
}

/** The functions at the top of a file, and where the names come from that it does not define. */
function readFile(file: string, source: string) {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const functions: Found[] = []
  const origins = new Map<string, { file: string; name: string }>()
  const add = (name: string, node: Node) => {
    functions.push({ file, name, line: source.slice(0, node.start).split('\n').length, ...readFunction(node) })
  }
  for (const top of nodesOf(program.body as unknown)) {
    const declared = isNode(top['declaration']) ? top['declaration'] : top
    if (declared.type === 'FunctionDeclaration') add(nameOf(declared['id']), declared)
    for (const { id, init } of nodesOf(declared['declarations']) as (Node & { id: unknown; init: unknown })[])
      if (isNode(init) && /Function/.test(init.type)) add(nameOf(id), init)
    const from = nameOf(top['source'])
    if (!from.startsWith('.')) continue
    for (const { local, imported, exported } of nodesOf(top['specifiers']) as (Node & Record<string, unknown>)[])
      origins.set(nameOf(exported ?? local), { file: resolveImport(file, from), name: nameOf(imported ?? local) })
  }
  return { functions, origins }
}

/** @param files sources of the server, by path from the project's folder */
export function findWritingQuestions(files: ReadonlyMap<string, string>): string[] {
  const read = new Map([...files].filter(([file]) => !isTest(file)).map(([file, text]) => [file, readFile(file, text)]))
  const known = new Map([...read.values()].flatMap((one) => one.functions.map((found) => [keyOf(found), found])))
  const find = (file: string, name: string): Found | undefined => {
    const own = known.get(keyOf({ file, name }))
    const origin = read.get(file)?.origins.get(name)
    return own ?? (origin && find(origin.file, origin.name))
  }
  const callers = new Map<Found, Found[]>()
  for (const caller of known.values())
    for (const name of caller.mentions) {
      const called = find(caller.file, name)
      if (called) callers.set(called, [...(callers.get(called) ?? []), caller])
    }
  const why = new Map<Found, string>()
  const open = [...known.values()].filter(({ writes }) => writes)
  for (const one of open) why.set(one, 'writes')
  for (let called = open.pop(); called; called = open.pop())
    for (const caller of callers.get(called) ?? []) {
      if (why.has(caller)) continue
      why.set(caller, `calls ${called.name}, which ${why.get(called)}`)
      open.push(caller)
    }
  return [...known.values()]
    .filter((one) => question.test(one.name) && why.has(one))
    .map((one) => `${one.file}:${one.line}: ${one.name} is named as a question and ${why.get(one)}`)
    .sort()
}

const keyOf = ({ file, name }: Pick<Found, 'file' | 'name'>) => `${file} ${name}`

/** Functions of the server that are named as questions and write; a line each. */
export function findQuestionProblems(root: string): string[] {
  const files = globSync(`${server}**/*.ts`, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  return findWritingQuestions(new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])))
}
