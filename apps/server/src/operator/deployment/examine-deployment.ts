import type { Config } from '../../config.ts'
import { readCatalogInUse } from '../../modules/catalog/index.ts'
import { type Check, doctorConfigOf, examine, openContext, type Report } from '../../modules/doctor/index.ts'
import type { Log } from '../../platform/log.ts'
import { withDatabaseToLookAt } from '../../start/operator-database.ts'

/** Looks at the deployment of these settings with `checks`; changes nothing. */
export async function examineDeployment(
  { config, log }: { config: Config; log: Log },
  checks: readonly Check[],
): Promise<Report> {
  const looked = doctorConfigOf(config)
  return await withDatabaseToLookAt(config, log, async ({ db, pool, problem }) => {
    const context = openContext({ db, pool, config: looked })
    const patient = { db, pool, context, config: looked, readCatalog: () => readCatalogInUse(db, config) }
    return await examine(patient, { checks, databaseProblem: problem })
  })
}
