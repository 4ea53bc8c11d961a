/**
 * `npm run doctor [-- --json]`: looks at the whole deployment and says what is wrong, each with its mend. Changes
 * nothing. Exit code 0 when nothing has failed, 1 when something has, 2 when it could not be looked at.
 */
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { allChecks, type DoctorConfig, examine, openWorld, reportText } from '../../modules/doctor/index.ts'
import { currentBuild, isRelease } from '../../platform/install.ts'
import { withDatabaseToLookAt } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'

const help = `Usage: ${isRelease ? 'atollctl doctor' : 'npm run doctor --'} [--json] [--only NAME,NAME]

Looks at the whole deployment and says what is wrong, each with its mend. Changes nothing.
  --json        the report as JSON
  --only NAME   these checks alone, by their names in --json

Exit codes: 0 nothing has failed (there may be warnings); 1 something has; 2 it could not be looked at.`

function doctorConfig(config: Config): DoctorConfig {
  const { dataDir, selfBackup, acme } = config
  return {
    ...config,
    secretFiles: [...config.secretFiles, `${dataDir}/secret.key`, ...(selfBackup ? [selfBackup.passwordFile] : [])],
    clockUrl: config.clockUrl ?? acme?.directory,
    version: currentBuild().version,
    isRelease,
  }
}

await runOperatorCommand(async ({ config, log }) => {
  const options = {
    json: { type: 'boolean' },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    say(help)
    return 0
  }
  const only = values.only?.split(',')
  const checks = only ? allChecks.filter(({ name }) => only.includes(name)) : allChecks
  const looked = { ...config, ...doctorConfig(config) }
  const report = await withDatabaseToLookAt(config, log, async ({ db, pool, problem }) => {
    const world = openWorld({ db, pool, config: looked })
    const patient = { db, pool, world, config: looked, readCatalog: () => readCatalogInUse(db, config) }
    return await examine(patient, { checks, databaseProblem: problem })
  })
  say(values.json ? JSON.stringify(report, null, 2) : reportText(report))
  return report.failed === 0 ? 0 : 1
})
