/**
 * `npm run usage:verify`: checks that each meter reading is as it was written, and that those of traffic add up to what
 * was counted. Reads only. Exit code 0 when they do, 1 when they do not, 2 when they could not be read.
 */
import { verifyReadings } from '../../modules/usage/index.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'usage-verify',
  script: 'usage:verify',
  text: 'Checks that each meter reading is as it was written, and that those of traffic add up. Reads only.',
  codes: 'they are and do; 1 they are or do not; 2 they could not be read.',
}

await runVerb(verb, async ({ config, log }) => {
  const verdict = await withOperatorDatabase(config, log, ({ db }) => verifyReadings(db))
  return verdict.whole
    ? { code: 0, data: verdict, lines: [`Whole: ${verdict.readings} readings.`] }
    : { code: 1, data: verdict, lines: [`BROKEN at ${verdict.where}: ${verdict.problem}.`] }
})
