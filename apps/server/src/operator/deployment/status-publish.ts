/**
 * `npm run status:publish -- DIR`: writes the status page and its feed into a folder, for a web server that stands on
 * another host. Run it by a timer; it only reads.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { publishStatus } from '../../modules/announcements/index.ts'
import { isRelease } from '../../platform/install.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'

const help = `Usage: ${isRelease ? 'atollctl status publish' : 'npm run status:publish --'} DIR

Writes the status page in both languages, its feeds and its font into DIR, which is made where it is missing. Copy the
folder to a web server on another host, each minute: it goes on showing the last copy, with its time.

Exit codes: 0 written; 2 it could not be.`

await runOperatorCommand(async ({ config, log }) => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  if (values.help) {
    say(help)
    return 0
  }
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new OperatorError(help)
  const { product, publicUrl } = config
  const files = await withOperatorDatabase(config, log, ({ db }) =>
    publishStatus(db, { folder: resolve(folder), product, publicUrl }),
  )
  say(`${files.length} files in ${resolve(folder)}`)
  return 0
})
