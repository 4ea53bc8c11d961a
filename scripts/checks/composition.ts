/**
 * In the composition nothing is used before it is made: no expression, in a closure either, names a constant that is
 * declared further down or is being declared, and no object is filled after it was made. So the order of its lines is
 * the order of what depends on what.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const composition = 'apps/server/src/composition'

/** A node of the syntax tree (ESTree), of which only what is asked is known. */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** The names of a block or function, each with the place from which on it may be named. */
type Scope = Map<string, number>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)
const isFunction = (node: Node) => /^(Function|ArrowFunction)/.test(node.type)

/** The names that a pattern declares. */
function namesIn(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern['name'])]
    case 'ObjectPattern':
      return nodesOf(pattern['properties']).flatMap((one) => nodesOf(one['value'] ?? one['argument']).flatMap(namesIn))
    case 'ArrayPattern':
      return nodesOf(pattern['elements']).flatMap(namesIn)
    case 'AssignmentPattern':
      return nodesOf(pattern['left']).flatMap(namesIn)
    case 'RestElement':
      return nodesOf(pattern['argument']).flatMap(namesIn)
    default:
      return []
  }
}

/** The names that a block declares by `const` and `let`, the file's own constants included. */
function scopeOf(block: Node): Scope {
  const scope: Scope = new Map()
  for (const statement of nodesOf(block['body'])) {
    const [declared] = statement.type === 'ExportNamedDeclaration' ? nodesOf(statement['declaration']) : [statement]
    if (declared?.type !== 'VariableDeclaration') continue
    for (const declarator of nodesOf(declared['declarations']))
      for (const name of nodesOf(declarator['id']).flatMap(namesIn)) scope.set(name, declarator.end)
  }
  return scope
}

/** The parts of a node in which a name is a use of what it names. */
function partsOf(node: Node): Node[] {
  const skipped = new Set<string>()
  if (node.type === 'MemberExpression' && node['computed'] !== true) skipped.add('property')
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(node.type) && node['computed'] !== true)
    skipped.add('key')
  return Object.entries(node).flatMap(([field, value]) => (skipped.has(field) ? [] : nodesOf(value)))
}

/** The faults in one file of the composition, a line each. */
export function findLateUses(file: string, source: string): string[] {
  const problems: string[] = []
  const lineAt = (place: number) => source.slice(0, place).split('\n').length
  const visit = (node: Node, scopes: readonly Scope[]): void => {
    if (node.type === 'Identifier') {
      const name = String(node['name'])
      const from = scopes.findLast((scope) => scope.has(name))?.get(name)
      if (from !== undefined && node.start < from && !declares.has(node))
        problems.push(`${file}:${lineAt(node.start)}: ${name} is not made yet: it is on line ${lineAt(from)}`)
      return
    }
    if (node.type === 'AssignmentExpression' && nodesOf(node['left']).some(({ type }) => type === 'MemberExpression'))
      problems.push(`${file}:${lineAt(node.start)}: an object is filled after it was made`)
    if (node.type === 'VariableDeclarator') for (const one of nodesOf(node['id'])) markDeclared(one)
    const inner = [...scopes]
    if (isFunction(node))
      inner.push(new Map(nodesOf(node['params']).flatMap((one) => namesIn(one).map((name) => [name, 0] as const))))
    if (node.type === 'BlockStatement' || node.type === 'Program') inner.push(scopeOf(node))
    for (const part of partsOf(node)) visit(part, inner)
  }
  const declares = new Set<Node>()
  const markDeclared = (pattern: Node): void => {
    if (pattern.type === 'Identifier') declares.add(pattern)
    else if (pattern.type === 'AssignmentPattern') nodesOf(pattern['left']).forEach(markDeclared)
    else for (const part of partsOf(pattern)) markDeclared(part)
  }
  visit(parseSync(file, source).program as unknown as Node, []) // the parser's own types are of another tree
  return problems
}

export function findCompositionProblems(root: string): string[] {
  return globSync(`${composition}/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => findLateUses(file, readFileSync(join(root, file), 'utf8')))
}
