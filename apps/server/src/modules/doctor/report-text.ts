import type { Finding } from './check.ts'
import type { Examined, Report } from './examine.ts'

const headings: readonly (readonly [Finding['state'], string])[] = [
  ['failed', 'FAILED'],
  ['warning', 'WARNINGS'],
  ['skipped', 'NOT LOOKED AT'],
  ['passed', 'PASSED'],
]

/** The report for a terminal. */
export function reportText({ at, version, checks, ...counts }: Report): string {
  const sections = headings.flatMap(([state, heading]) => {
    const rows = checks.filter((check) => check.state === state)
    return rows.length === 0 ? [] : [`${heading} ${rows.length}`, ...rows.flatMap(linesOf), '']
  })
  const sums = [`${counts.passed} passed`, `${counts.failed} failed`, `${counts.warnings} warnings`]
  return [`Atoll ${version}, ${at}`, '', ...sections, `${checks.length} checks: ${sums.join(', ')}.`].join('\n')
}

function linesOf({ title, state, found, mend, commands = [] }: Examined): string[] {
  if (state === 'passed' || state === 'skipped') return [`  ${title}${found ? `: ${found}` : ''}`]
  return [`  ${title}`, `    ${found}`, `    Mend: ${mend}`, ...commands.map((command) => `      ${command}`)]
}
