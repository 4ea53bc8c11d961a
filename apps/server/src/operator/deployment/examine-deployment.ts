import type { Config } from '../../config.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { type Check, type DoctorConfig, examine, openWorld, type Report } from '../../modules/doctor/index.ts'
import { currentBuild, isRelease } from '../../platform/install.ts'
import type { Log } from '../../platform/log.ts'
import { withDatabaseToLookAt } from '../../start/operator-database.ts'

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

/** Looks at the deployment of these settings with `checks`; changes nothing. */
export async function examineDeployment(
  { config, log }: { config: Config; log: Log },
  checks: readonly Check[],
): Promise<Report> {
  const looked = { ...config, ...doctorConfig(config) }
  return await withDatabaseToLookAt(config, log, async ({ db, pool, problem }) => {
    const world = openWorld({ db, pool, config: looked })
    const patient = { db, pool, world, config: looked, readCatalog: () => readCatalogInUse(db, config) }
    return await examine(patient, { checks, databaseProblem: problem })
  })
}
