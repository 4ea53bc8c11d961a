import type { reindexBackups } from '../../modules/backups/index.ts'
import { say } from '../run-operator-command.ts'

/** Says what was found in the vault; true where all of it has rows now. */
export function tellReindexed(found: Awaited<ReturnType<typeof reindexBackups>>): boolean {
  for (const path of found.damaged) say(`DAMAGED ${path}: it is not what its name says, and got no row.`)
  for (const { repositoryId, why } of found.unknown) say(`UNKNOWN ${repositoryId}: ${why}. It stays as it is.`)
  for (const plan of found.plans) say(`The plan "${plan}" was made again.`)
  say(`${found.repositories} repositories, ${found.added} files added, ${found.snapshots} snapshots found.`)
  return found.damaged.length + found.unknown.length === 0
}
