import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/project.ts'

export const script = readFileSync(join(projectRoot, 'release/debian/atollctl'), 'utf8')

/** The verbs of its help, in order; a word of two is one of its own. */
export function listVerbs(): string[] {
  const help = /HELP'\n([\s\S]*?)\nHELP/.exec(script)?.[1] ?? ''
  const rows = help.split('\n').filter((line) => /^ {2}[a-z]/.test(line) && !/^ {2}\S+, /.test(line))
  const several = [...help.matchAll(/^ {2}([a-z-]+(?:, [a-z-]+)+)/gm)].flatMap(([, names = '']) => names.split(', '))
  const names = [...rows.map((line) => line.trim().split(/\s/)[0] ?? ''), ...several]
  return [...new Set(names)].filter((name) => name !== 'help').sort()
}

interface Asked {
  args: readonly string[]
  code: number
}

const unreachable = (...args: string[]): Asked => ({ args, code: 2 })
const answered = (...args: string[]): Asked => ({ args, code: 0 })

/** Those that read their own arguments, and one of those that do it alike (`runVerb`). */
export const readers = [
  ...['admin', 'audit-verify', 'catalog', 'doctor', 'migrate', 'move-database', 'restart', 'restore', 'rollout'],
  ...['rotate-key', 'settings', 'setup', 'status', 'upgrade', 'use', 'versions'],
]

/** Each asked for JSON in a way that ends at once where no database answers. */
export const verbs: Readonly<Record<string, Asked>> = {
  admin: unreachable('list'),
  'audit-verify': unreachable(),
  'ledger-verify': unreachable(),
  'usage-verify': unreachable(),
  'usage-import': unreachable('/nowhere.csv'),
  'vault-reindex': unreachable(),
  catalog: unreachable('apply'),
  'catalog-check': answered(),
  rollout: unreachable(),
  backup: unreachable(),
  restore: unreachable('--yes'),
  'rotate-key': unreachable(),
  'move-address': unreachable(),
  'move-database': unreachable('postgres://nobody@127.0.0.1:1/none'),
  doctor: { args: ['--only', 'schema'], code: 1 },
  diagnostics: answered(),
  migrate: { args: [], code: 1 },
  // It says what is missing of the answers.
  setup: { args: [], code: 1 },
  // Two versions are no command; one would switch those of this machine.
  upgrade: unreachable('1.0.0', '2.0.0'),
  rollback: unreachable('1.0.0'),
  settings: answered(),
  status: answered(),
  versions: answered(),
  restart: answered(),
  use: answered('1.0.0'),
}
