/**
 * `npm run vault:reindex`: makes rows of the files in the vault that have none. May run beside the server, and
 * again. Exit code 0; 1 when something was found that got no row; 2 when it could not be done.
 */
import { reindexVault } from '../modules/vault/index.ts'
import { systemClock } from '../platform/clock.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'

await runOperatorCommand(async ({ config, log }) => {
  if (process.argv.length > 2) throw new OperatorError('Name nothing: the whole vault is read.')
  const found = await withOperatorDatabase(config, log, ({ db }) =>
    reindexVault({ db, place: config, now: systemClock.now() }),
  )
  for (const path of found.damaged) say(`DAMAGED ${path}: it is not what its name says, and got no row.`)
  for (const id of found.unknown) say(`UNKNOWN ${id}: no repository has this id; whose it is, is not known.`)
  say(`${found.repositories} repositories, ${found.added} files added.`)
  return found.damaged.length + found.unknown.length > 0 ? 1 : 0
})
