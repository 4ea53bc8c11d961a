/**
 * The small signed file beside each repository. Its writer reads the plan again after writing: of two concurrent
 * writers, the last one sees the plan that the other wrote. It is written before the first file of a repository, and
 * within a minute after its plan was changed; not while this database may be older than the stored plan.
 */
import { findHold } from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { VaultDriver } from '../vault-driver.ts'

/** The content of the files, which another module knows. */
export interface PlanFiles {
  /**
   * `text` null: there should be no file. `isOfNow`: the file is up to date. Undefined: no plan has this repository.
   */
  find(db: Db, repositoryId: string): Promise<{ text: string | null; mark: string; isOfNow: boolean } | undefined>
  /** Repositories that hold files and whose plan file is out of date. */
  listOutdated(db: Db, limit: number): Promise<string[]>
  /** Whose a repository is by the text of its file, in words; undefined: we did not write it. */
  describe(text: string): string | undefined
  noteWritten(db: Db, repositoryId: string, mark: string): Promise<void>
}

export interface PlanFileDeps {
  db: Db
  driver: Pick<VaultDriver, 'writePlanFile'>
  /** Absent: none are written. */
  planFiles?: PlanFiles | undefined
}

/** Files a minute: the next one goes on. */
const mostFiles = 200

export async function writePlanFile({ db, driver, planFiles }: PlanFileDeps, repositoryId: string): Promise<void> {
  for (;;) {
    const file = await planFiles?.find(db, repositoryId)
    if (!file || file.isOfNow) return
    await driver.writePlanFile(repositoryId, file.text)
    await planFiles?.noteWritten(db, repositoryId, file.mark)
  }
}

/** Says how many were written. */
export async function writePlanFiles(deps: PlanFileDeps): Promise<number> {
  if (!deps.planFiles || (await findHold(deps.db, { waits: 'careful', source: 'vault' }))) return 0
  const outdated = await deps.planFiles.listOutdated(deps.db, mostFiles)
  for (const repositoryId of outdated) await writePlanFile(deps, repositoryId)
  return outdated.length
}
