/**
 * `npm run catalog:check [-- <file>]`: says what is wrong with a catalogue before a server reads it; without a file,
 * with the one of ATOLL_CATALOG. Exit code 0 when it is good, 1 when it is not.
 */
import { resolve } from 'node:path'
import { readCatalog } from '../../modules/catalog/index.ts'
import { checkClouds } from '../../modules/compute/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'catalog-check',
  script: 'catalog:check',
  takes: '[FILE]',
  words: 1,
  text: 'Says what is wrong with a catalogue before a server reads it: that of FILE, or of ATOLL_CATALOG.',
  codes: 'it is good; 1 it is not; 2 the command was not understood.',
}

await runVerb(verb, async ({ config, positionals: [name] }) => {
  // npm runs this in the project's folder; a name is meant from where it was typed.
  const file = name === undefined ? config.catalogFile : resolve(process.env['INIT_CWD'] ?? '', name)
  try {
    const catalog = await readCatalog(file)
    await checkClouds(catalog, config)
    const { clouds, versions } = catalog
    const counts = {
      clouds: clouds.length,
      offerings: clouds.flatMap((cloud) => cloud.offerings).length,
      versions: versions.length,
    }
    const line = `${file}: good. Clouds: ${counts.clouds}, offerings: ${counts.offerings}, versions: ${counts.versions}.`
    return { code: 0, data: { file, ...counts }, lines: [line] }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { code: 1, data: { file, problem: error.message }, lines: [error.message] }
  }
})
