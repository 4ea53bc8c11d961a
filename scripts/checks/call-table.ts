/**
 * `docs/calls.md`: every call with who may make it and how often, so that a loosened rule is seen in the difference.
 * Run as a program, it writes the file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as contract from '@atoll/contract/everything'
import { projectRoot } from '../project.ts'

const tableFile = join(projectRoot, 'docs/calls.md')

/** Every call of the contract. */
export function listCalls(): contract.Call[] {
  return Object.values<unknown>(contract).filter(
    (value): value is contract.Call =>
      typeof value === 'object' && value !== null && 'path' in value && 'reach' in value && 'body' in value,
  )
}

/** The table of `calls`, sorted by path. */
export function describeCalls(calls: readonly contract.Call[]): string {
  const rows = calls
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, name, reach, rate }) => `| \`${path}\` | ${name} | ${reach} | ${rate} |`)
  return [
    '# Calls: who may make them, and how often',
    '',
    'Generated from the contract by `node scripts/checks/call-table.ts`; `npm run check` fails where the two differ.',
    'The words for who may make a call are explained in `packages/contract/src/wire/reach.ts`, those for how often in',
    '`packages/contract/src/wire/rates.ts`.',
    '',
    '| Path | Call | Who | How often |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** The fault of the committed table, or an empty text. */
export function findCallTableProblem(): string {
  const kept = existsSync(tableFile) ? readFileSync(tableFile, 'utf8') : ''
  if (kept === describeCalls(listCalls())) return ''
  return 'docs/calls.md is not what the contract says. Write it with: node scripts/checks/call-table.ts'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(tableFile, describeCalls(listCalls()))
