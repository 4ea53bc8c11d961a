/**
 * `npm run usage:import -- <file>`: takes in what a CDN moved for clusters, from a CSV file; all of it or nothing, and
 * safe to repeat. Exit code 0 when it is taken in, 1 when a line is wrong, 2 when it could not be done.
 */
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { importCdn, readLines } from '../../modules/usage/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

/** Opened at the first read, so that the reader gets the error of a file that cannot be read. */
async function* textOf(file: string): AsyncGenerator<string> {
  yield* createReadStream(file, 'utf8')
}

const verb = {
  verb: 'usage-import',
  script: 'usage:import',
  takes: 'FILE',
  words: 1,
  text: 'Takes in what a CDN moved for clusters, from a CSV file: all of it or nothing. May be repeated.',
  codes: 'it is taken in; 1 a line is wrong; 2 it could not be done.',
}

await runVerb(verb, async ({ config, log, positionals: [name] }) => {
  if (name === undefined) throw new OperatorError('Name one CSV file.')
  // npm runs this in the project's folder; a name is meant from where it was typed.
  const file = resolve(process.env['INIT_CWD'] ?? '', name)
  await access(file).catch(() => {
    throw new OperatorError(`${file} cannot be read.`)
  })
  const result = await withOperatorDatabase(config, log, ({ db }) =>
    importCdn(db, readLines(textOf(file)), systemClock.now()),
  )
  if ('problems' in result) return { code: 1, data: result, lines: [...result.problems, 'Nothing was imported.'] }
  const line = `Imported: ${result.added} new, ${result.corrected} corrected, ${result.unchanged} as before.`
  return { code: 0, data: result, lines: [line] }
})
