import type { Db } from '../../../platform/db/index.ts'
import { listGrantHistory } from '../../vault/index.ts'

/** For the operator: the rights that changed something of a backup, a line each; undefined: no such backup. */
export async function describeGrants(db: Db, backupId: string): Promise<string | undefined> {
  const backup = await db
    .selectFrom('backups')
    .select(['repo_id', 'owner'])
    .where('id', '=', backupId)
    .executeTakeFirst()
  if (!backup) return undefined
  const history = await listGrantHistory(db, { repositoryId: backup.repo_id, owner: backup.owner, quota: null })
  if (history.length === 0) return 'Nothing was stored since grants are recorded.'
  return history
    .map(({ grantId, right, at, stored, taken, gone, until }) =>
      [
        `${grantId}  ${at.toISOString()}  ${right}  stored ${stored.files}, took ${taken.files} files`,
        gone
          ? `no way back: ${gone.files} files that it or later ones took are gone`
          : `going back is possible${until ? ` until at most ${until.toISOString()}` : ''}`,
      ].join('; '),
    )
    .join('\n')
}
