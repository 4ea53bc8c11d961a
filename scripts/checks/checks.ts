import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findContractions, readMigrations } from '../../apps/server/src/platform/db/migrations/migration-files.ts'
import { isCurrent, listFrontEnds } from '../building/build-state.ts'
import { runAndRead } from '../processes.ts'
import { binaryOf, projectRoot } from '../project.ts'
import { findApiProblems } from './api-document.ts'
import { findBoundaryViolations } from './boundaries.ts'
import { findTooNewFiles } from './browser-floor.ts'
import { findCallTableProblem } from './call-table.ts'
import { findComponentTexts } from './component-texts.ts'
import { findCompositionProblems } from './composition.ts'
import { findLocaleGaps } from './locales.ts'
import { findModuleGaps } from './module-texts.ts'
import { findPlainEnglishProblems } from './plain-english.ts'
import { findQuestionProblems } from './questions.ts'
import { findSettingsPageProblem } from './settings-page.ts'
import { findTableProblems } from './table-owners.ts'
import { findTextTableProblem } from './text-tables.ts'
import { findOtherVersions } from './versions.ts'

/** Answers what is wrong, or an empty text. */
type Check = () => Promise<string>

const typeProjects = ['tsconfig.json', 'tsconfig.web.json', 'apps/console', 'apps/wallet', 'apps/agent/web']

const checks: Record<string, Check> = {
  types: async () => {
    const present = typeProjects.filter((project) =>
      existsSync(join(projectRoot, project.endsWith('.json') ? project : `${project}/tsconfig.json`)),
    )
    const outputs: string[] = []
    for (const project of present) outputs.push(await outputOf(binaryOf('tsc'), ['-p', project]))
    return outputs.filter(Boolean).join('\n')
  },
  'format and lint': () => outputOf(binaryOf('biome'), ['ci', '--colors=off', '--max-diagnostics=100', '.']),
  boundaries: async () => findBoundaryViolations(projectRoot).join('\n'),
  composition: async () => findCompositionProblems(projectRoot).join('\n'),
  'owners of tables': async () => findTableProblems(projectRoot).join('\n'),
  questions: async () => findQuestionProblems(projectRoot).join('\n'),
  texts: async () =>
    [...findLocaleGaps(projectRoot), ...findModuleGaps(), ...findComponentTexts(projectRoot)].join('\n'),
  'plain English': async () => findPlainEnglishProblems(projectRoot).join('\n'),
  versions: async () => findOtherVersions(projectRoot).join('\n'),
  migrations: () => problemOf(requireSafeMigrations()),
  'API description': async () => (await findApiProblems()).join('\n'),
  'table of calls': async () => findCallTableProblem(),
  'tables of texts': async () => findTextTableProblem(),
  'page of settings': async () => findSettingsPageProblem(),
  // Pages that are not built, or from other sources, are checked as they are built.
  browsers: async () =>
    listFrontEnds()
      .filter(isCurrent)
      .flatMap(({ folder }) => findTooNewFiles(join(folder, 'dist')))
      .join('\n'),
}

/** Throws for a file with a wrong name, and for one that takes away what a program that may run on it uses. */
async function requireSafeMigrations(): Promise<void> {
  const files = await readMigrations(join(projectRoot, 'apps/server/migrations'))
  const problems = files.flatMap(findContractions)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Why `work` fails, or an empty text. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const checkNames: readonly string[] = Object.keys(checks)

/** Runs one check by name. */
export async function runCheck(name: string): Promise<string> {
  const check = checks[name]
  if (!check) throw new Error(`There is no check named ${name}`)
  return await check()
}

async function outputOf(command: string, args: string[]): Promise<string> {
  const { code, output } = await runAndRead(command, args)
  return code === 0 ? '' : output.trim() || `${command} ended with ${code}`
}
