/** Backup of this deployment's own data, bringing it back, and proof that it can be (design/backups). */
import type { Job } from '../../platform/jobs/index.ts'
import { findSettingsDir } from './copy-settings.ts'
import { selfBackupJob } from './jobs/self-backup.ts'
import type { SelfBackupConfig } from './settings.ts'
import type { TakeDeps } from './take.ts'

export { findSettingsDir } from './copy-settings.ts'
export { countRows } from './count-rows.ts'
export { fetchSnapshot } from './fetch.ts'
export { selfBackupName } from './jobs/self-backup.ts'
export {
  type BesideDatabase,
  dropLeftovers,
  type HalfDump,
  isBackupUnderWay,
  listBeside,
  listHalfDumps,
} from './leftovers.ts'
export { bringErased } from './newest-erased.ts'
export { initRepository, requireRepository } from './repository.ts'
export { restoreSelf } from './restore.ts'
export { type DumpSource, restoreDump } from './restore-dump.ts'
export {
  copyAsTemplate,
  createEmpty,
  databaseOf,
  dropDatabase,
  nameBeside,
  swapDatabases,
  urlOf,
} from './server-database.ts'
export { takeSelfBackup } from './take.ts'
export { readSelfBackupAge, readSelfProofAge, saveProvenAt } from './taken-at.ts'

export interface SelfBackupDeps extends Omit<TakeDeps, 'to' | 'settingsDir'> {
  config: { selfBackup: SelfBackupConfig | undefined; resticProgram: string | undefined }
}

/** The scheduled backup job, if a schedule is set. */
export function createSelfBackup({ config: { selfBackup, resticProgram }, ...deps }: SelfBackupDeps): { jobs: Job[] } {
  if (selfBackup?.schedule === undefined) return { jobs: [] }
  const to = { ...selfBackup, program: resticProgram }
  return { jobs: [selfBackupJob({ ...deps, settingsDir: findSettingsDir(), to }, selfBackup.schedule)] }
}
