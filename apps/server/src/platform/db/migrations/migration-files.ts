/**
 * The files `migrations/NNNN-name.sql`, and which programs may run on a database that has had them. A file that begins
 * with `-- oldest program: 1.4.0` only adds to what version 1.4.0 uses: that version and later ones may run on the
 * database although they do not know the file, so that a new program can be taken back without its database. On a
 * database with any other file only programs may run that have the file.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSteps, type Step } from './migration-steps.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** Three numbers with points between; undefined: those that have the file. */
  oldestProgram: string | undefined
  /** Of a file that runs outside a transaction. */
  steps?: readonly Step[] | undefined
  /** Of the step that adopts a database from before the baseline: the files to record in place of `sql`. */
  adopts?: readonly { name: string; checksum: string }[]
}

/** The migrations of `dir` in order. Throws for a name that is not `NNNN-name.sql`, a number used twice, bad words. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`Migration ${name} is not named NNNN-name.sql`)
    const number = name.slice(0, 4)
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}`)
    numbers.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, sql, checksum, oldestProgram: readOldestProgram(name, sql), steps: readSteps(name, sql) }
    }),
  )
}

const words = '-- oldest program:'

function readOldestProgram(name: string, sql: string): string | undefined {
  const lines = sql.split('\n')
  const line = lines.find((one) => one.toLowerCase().startsWith(words))
  if (line === undefined) return undefined
  const version = line.slice(words.length).trim()
  if (line !== lines[0] || !line.startsWith(words) || !/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`Migration ${name}: "${words} 1.2.3" has to be its first line, with a version of three numbers`)
  return version
}

/** Whether the program `version` is `oldest` or newer, by the three numbers of both. */
export function isAtLeast(version: string, oldest: string): boolean {
  const numbers = (text: string) => text.split(/[.+-]/, 3).map(Number)
  const [have, want] = [numbers(version), numbers(oldest)]
  const index = want.findIndex((number, at) => number !== have[at])
  return index === -1 || (have[index] ?? 0) > (want[index] ?? 0)
}

/**
 * Statements after which an older program may fail on what it uses: what is dropped, renamed or of another type, and a
 * column that it does not fill though it has to be filled.
 */
const contracting = [
  /\bdrop\s+(table|column|view|materialized\s+view|type|domain|schema|sequence|function)\b/i,
  /\brename\b/i,
  /\balter\s+(column\s+)?[\w".]+\s+(set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+column\s+(?=(?:(?!\bdefault\b|,|;).)*\bnot\s+null\b)(?!(?:(?!,|;).)*\b(?:default|generated)\b)/is,
]
const unusedSince = /--\s*unused since:\s*(\d+\.\d+\.\d+)/

/**
 * The faults of a file on which older programs may run, a line each. A statement of `contracting` needs a comment
 * `-- unused since: 1.3.0` in it or before it: no program from that version on uses the part that it takes away.
 */
export function findContractions({ name, sql, oldestProgram }: Migration): string[] {
  if (oldestProgram === undefined) return []
  return sql.split(';').flatMap((statement) => {
    const code = statement.replace(/--.*$/gm, '').trim()
    if (!contracting.some((pattern) => pattern.test(code))) return []
    const since = unusedSince.exec(statement)?.[1]
    if (since !== undefined && isAtLeast(oldestProgram, since)) return []
    const text = code.replace(/\s+/g, ' ').slice(0, 80)
    return [`${name} says that program ${oldestProgram} may run on it, which may use what this changes: ${text}`]
  })
}
