/**
 * `npm run catalog:check [-- <file>]`: says what is wrong with a catalogue before a server reads it; without a file,
 * with the one of ATOLL_CATALOG. Exit code 0 when it is good, 1 when it is not.
 */
import { resolve } from 'node:path'
import { readCatalog } from '../../modules/catalog/index.ts'
import { checkClouds } from '../../modules/compute/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'

await runOperatorCommand(async ({ config }) => {
  const [name, ...rest] = process.argv.slice(2)
  if (rest.length > 0) throw new OperatorError('Name one file, or none for the one of ATOLL_CATALOG.')
  // npm runs this in the project's folder; a name is meant from where it was typed.
  const file = name === undefined ? config.catalogFile : resolve(process.env['INIT_CWD'] ?? '', name)
  try {
    const catalog = await readCatalog(file)
    await checkClouds(catalog, config)
    const { clouds, versions } = catalog
    const offerings = clouds.flatMap((cloud) => cloud.offerings)
    say(`${file}: good. Clouds: ${clouds.length}, offerings: ${offerings.length}, versions: ${versions.length}.`)
    return 0
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    say(error.message)
    return 1
  }
})
