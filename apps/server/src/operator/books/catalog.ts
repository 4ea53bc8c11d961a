/**
 * `npm run catalog -- apply [--yes] [--json] [FILE]`: shows how a file differs from the catalogue in use, and puts it
 * in use for every process after a confirmation. Exit code 0: applied, or the same; 1: not applied; 2: unreadable.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { applyCatalog, CatalogError, compareCatalog, readCatalogText } from '../../modules/catalog/index.ts'
import { checkClouds } from '../../modules/compute/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { isRelease } from '../../platform/install.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { Refusal } from '../../platform/refusal.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { agrees } from '../agrees.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'

const help = `Usage: ${isRelease ? 'atollctl catalog' : 'npm run catalog --'} apply [--yes] [--json] [FILE]

Shows how the file of ATOLL_CATALOG, or FILE, differs from the catalogue in use, and applies it once you agree.
  --yes    do not ask
  --json   the difference as JSON; nothing is applied without --yes

Exit codes: 0 applied, or nothing is different; 1 not applied; 2 it cannot be looked at.`

await runOperatorCommand(async ({ config, log }) => {
  const options = {
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [verb, name, ...rest] = positionals
  if (values.help || verb !== 'apply' || rest.length > 0) {
    say(help)
    return values.help ? 0 : 2
  }
  if (config.catalogApply !== 'asked')
    throw new OperatorError(
      'The file of the catalogue counts as soon as it is written: ATOLL_CATALOG_APPLY is not `asked`.',
    )
  // npm runs this in the project's folder; a name is meant from where it was typed.
  const file = name === undefined ? config.catalogFile : resolve(process.env['INIT_CWD'] ?? '', name)
  return await withOperatorDatabase(config, log, async ({ db }) => {
    try {
      const next = await readCatalogText(file)
      await checkClouds(next.catalog, config)
      const change = await compareCatalog(db, next)
      if (values.json) sayJson(change)
      else say(change.difference === '' ? `${file} is in use already.` : change.difference)
      if (change.difference === '') return 0
      if (!values.yes && (values.json || !(await agrees('Apply this? [y/N] ')))) {
        if (!values.json) say('Nothing was changed.')
        return 1
      }
      const how = { from: change.from, at: systemClock.now(), by: null }
      await db.transaction().execute((trx) => applyCatalog(trx, next, how))
      if (!values.json) say('Applied: every process uses it now.')
      return 0
    } catch (error) {
      if (error instanceof CatalogError) {
        say(error.message)
        return 1
      }
      throw error instanceof Refusal ? new OperatorError(error.message, { cause: error }) : error
    }
  })
})
