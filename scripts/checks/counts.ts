/**
 * `node scripts/checks/counts.ts` prints figures of the source code, tests apart: its size, long functions, the share
 * of comments, and pieces that could be fewer. They are no check; a change of the structure is judged by them.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { projectRoot } from '../project.ts'
import { importedFrom, resolveImport } from './imports.ts'

/** Lines from which a function is long, and below which a module of its own is small. */
const longFunction = 80
const smallModule = 20

const isTest = (file: string) => /\.(test|fixture|gen)\.tsx?$|\/testing\/|^packages\/testkit\//.test(file)
/** Comments as lines of their own; a block of several lines counts each. */
const comments = /^[ \t]*(\/\*[\s\S]*?\*\/|\/\/.*)[ \t]*$/gm
const imports = /^(import|export)\b[^'"`;=(]*?\bfrom\s*['"][^'"]+['"].*$/gm
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length
const codeOf = (text: string) => text.replace(comments, '').replace(imports, '')

interface Source {
  file: string
  text: string
  uses: readonly string[]
}

/** Lines of every function in `source`, however deep. */
function functionLines({ file, text }: Source): number[] {
  const found: number[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { type, start, end } = value as { type?: unknown; start?: number; end?: number } // if it is a node
    if (/Function/.test(String(type))) found.push(text.slice(start, end).split('\n').length)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(parseSync(file, text).program.body)
  return found
}

/** Modules of few lines, neither component nor route and without a test, that only one file of their folder uses. */
function findSmallHelpers(sources: readonly Source[]): Source[] {
  const users = new Map<string, string[]>()
  for (const { file, uses } of sources) for (const used of uses) users.set(used, [...(users.get(used) ?? []), file])
  const files = new Set(sources.map(({ file }) => file))
  return sources.filter(({ file, text }) => {
    const [user = '', ...others] = users.get(file) ?? []
    const isApart = isTest(file) || !file.endsWith('.ts') || file.includes('/routes/') || user.endsWith('/index.ts')
    if (isApart || others.length > 0 || dirname(user) !== dirname(file)) return false
    return !files.has(file.replace(/\.ts$/, '.test.ts')) && linesOf(codeOf(text)) < smallModule
  })
}

const files = globSync('{apps,packages}/**/src/**/*.{ts,tsx}', { cwd: projectRoot, exclude: ['**/node_modules/**'] })
const sources = files.map((file): Source => {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  return { file, text, uses: importedFrom(text).map((specifier) => resolveImport(file, specifier)) }
})
const shipped = sources.filter(({ file }) => !isTest(file))
const sum = (count: (source: Source) => number) => shipped.reduce((total, source) => total + count(source), 0)
const occurrences = (pattern: RegExp) => sum(({ text }) => text.match(pattern)?.length ?? 0)
const lengths = shipped.flatMap(functionLines).sort((a, b) => a - b)
const [lines, code] = [sum(({ text }) => linesOf(text)), sum(({ text }) => linesOf(codeOf(text)))]
const commented = sum(({ text }) => linesOf((text.match(comments) ?? []).join('\n')))

for (const [name, figure] of [
  ['files', shipped.length],
  ['lines of code, without comments, blanks and imports', code],
  ['comments, % of the lines', ((100 * commented) / lines).toFixed(1)],
  ['longest file, lines', Math.max(...shipped.map(({ text }) => text.split('\n').length))],
  ['functions', lengths.length],
  ['function at the 95th percentile, lines', lengths[Math.floor(lengths.length * 0.95)]],
  [`functions over ${longFunction} lines`, lengths.filter((length) => length > longFunction).length],
  ['exported types …Deps', occurrences(/^export (interface|type) \w+Deps\b/gm)],
  ['Pick<', occurrences(/\bPick</g)],
  [`modules under ${smallModule} lines that one file of their folder uses`, findSmallHelpers(sources).length],
  ['files with words of a language in code', shipped.filter(({ text }) => /\p{Script=Han}/u.test(codeOf(text))).length],
] as const) {
  process.stdout.write(`${String(figure).padStart(8)}  ${name}\n`)
}
