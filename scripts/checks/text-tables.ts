/**
 * The modules of packages/texts that hold one file of every language side by side. This script writes
 * them, so that no module has to be edited for a new language: Node and the bundler need such imports spelled out.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locales } from '../../packages/contract/src/wire/constants.ts'
import { projectRoot } from '../project.ts'

const folder = join(projectRoot, 'packages/texts/src/tables')
const files: Readonly<Record<string, string>> = {
  acts: 'shared/acts.json',
  'alert-kinds': 'shared/alert-kinds.json',
  announced: 'shared/announced.json',
  'create-refusals': 'shared/create-refusals.json',
  documents: 'documents/all.ts',
  fields: 'shared/fields.json',
  mails: 'mail/all.ts',
  modules: 'shared/modules.ts',
  operations: 'shared/operations.json',
  statuses: 'shared/statuses.json',
}

/** The source of the module for `file`, a path in the folder of a language. */
export function describeTable(file: string, languages: readonly string[]): string {
  const as = file.endsWith('.json') ? " with { type: 'json' }" : ''
  const imports = languages.map((locale, at) => `import texts${at} from '../../${locale}/${file}'${as}\n`)
  const rows = languages.map((locale, at) => `'${locale}': texts${at}`)
  return `// Made by scripts/checks/text-tables.ts.\n${imports.join('')}\nexport default { ${rows.join(', ')} }\n`
}

/** The fault of the committed modules, or an empty text. */
export function findTextTableProblem(): string {
  const old = Object.entries(files).filter(([name, file]) => {
    const path = pathOf(name)
    return !existsSync(path) || readFileSync(path, 'utf8') !== describeTable(file, locales)
  })
  if (old.length === 0) return ''
  const names = old.map(([name]) => basename(pathOf(name))).join(', ')
  return `${names} of packages/texts: write them with node scripts/checks/text-tables.ts`
}

function pathOf(name: string): string {
  return join(folder, `${name}.gen.ts`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, file] of Object.entries(files)) writeFileSync(pathOf(name), describeTable(file, locales))
}
