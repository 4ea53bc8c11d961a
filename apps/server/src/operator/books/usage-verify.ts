/**
 * `npm run usage:verify`: checks that each meter reading is as it was written, and that those of traffic add up to what
 * was counted. Reads only. Exit code 0 when they do, 1 when they do not, 2 when they could not be read.
 */
import { verifyReadings } from '../../modules/usage/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'

await runOperatorCommand(async ({ config, log }) => {
  if (process.argv.length > 2) throw new OperatorError('Name nothing: all readings are checked.')
  const verdict = await withOperatorDatabase(config, log, ({ db }) => verifyReadings(db))
  if (!verdict.whole) {
    say(`BROKEN at ${verdict.where}: ${verdict.problem}.`)
    return 1
  }
  say(`Whole: ${verdict.readings} readings.`)
  return 0
})
