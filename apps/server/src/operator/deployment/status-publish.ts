/**
 * `npm run status:publish -- DIR`: writes the status page and its feed into a folder, for a web server that stands on
 * another host. Run it by a timer; it only reads.
 */
import { resolve } from 'node:path'
import { publishStatus } from '../../modules/announcements/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'status publish',
  script: 'status:publish',
  takes: 'DIR',
  words: 1,
  text: `Writes the status page in both languages, its feeds and its font into DIR, which is made where it is missing. Copy the
folder to a web server on another host, each minute: it goes on showing the last copy, with its time.`,
  codes: 'written; 2 it could not be.',
}

await runVerb(verb, async ({ config, log, positionals: [named] }) => {
  if (named === undefined) throw new OperatorError('Name the folder to write to.')
  const folder = resolve(named)
  const { product, publicUrl } = config
  const files = await withOperatorDatabase(config, log, ({ db }) => publishStatus(db, { folder, product, publicUrl }))
  return { code: 0, data: { folder, files }, lines: [`${files.length} files in ${folder}`] }
})
