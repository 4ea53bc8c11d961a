/**
 * Uploads that came to no end: their vault died, or could not say so while the database was away. Their room is given
 * back. Bytes that are in their place by then, without a row, become trash: they are counted, an upload of the same
 * file or a new index takes them back, and 14 days later they are removed.
 */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { isRenewed } from '../../../platform/leases/index.ts'
import type { Log } from '../../../platform/log.ts'
import { ifTrouble } from '../store-trouble.ts'
import type { VaultDriver } from '../vault-driver.ts'
import type { FileKey } from '../vault-tables.ts'

/** Value of `trashed_by` for such files. */
export const unfinished = 'unfinished'
/** An upload that is younger may have begun without this process having registered it yet, ms. */
const youngMs = 60_000

export interface LapsedRule {
  leaseKind: string
  /** Whose lease was renewed longer ago is dead. */
  silentMs: number
  /** This process and what it receives now; absent: it receives nothing. */
  own?: { holder: string; uploads: ReadonlySet<string> } | undefined
  now: Date
  log: Log
}

/** Says how many uploads it ended. */
export async function endLapsed(db: Db, driver: Pick<VaultDriver, 'open'>, rule: LapsedRule): Promise<number> {
  const { leaseKind, silentMs, own, now, log } = rule
  const { rows } = await sql<FileKey & { id: string }>`
    select id, repo_id as "repositoryId", type, name from vault_uploads u
    where id <> all(${[...(own?.uploads ?? [])]}::text[]) and (
      (holder = ${own?.holder ?? ''} and begun_at < clock_timestamp() - ${youngMs} * interval '1 millisecond')
      or not ${isRenewed(leaseKind, sql.ref('u.holder'), silentMs)})`.execute(db)
  let ended = 0
  for (const { id, ...key } of rows) {
    // One that cannot be looked at now keeps its room, and no other one waits for it.
    const end = endUnfinished(db, driver, { id, key }, now).then(() => 1)
    ended += await end.catch(ifTrouble(log, { ...key, name: key.name ?? '' }, 0))
  }
  return ended
}

/** Ends an upload whose bytes may be in their place. */
export async function endUnfinished(
  db: Db,
  driver: Pick<VaultDriver, 'open'>,
  { id, key }: { id: string; key: FileKey },
  at: Date,
): Promise<void> {
  // A config is put in its place with its row, or the next one takes the place; of an old vault's no name is known.
  const stored = key.type === 'config' || key.name === null ? undefined : await driver.open(key)
  if (stored) {
    await stored.close()
    await trashUnfinished(db, { ...key, bytes: stored.bytes }, at)
  }
  await giveBack(db, id)
}

/** Makes trash of a file that is in its place without a row; one that has a row stays what it is. */
export async function trashUnfinished(db: Db, file: FileKey & { bytes: number }, at: Date): Promise<void> {
  const { repositoryId, type, name, bytes } = file
  await sql`
    with kept as (
      insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at, trashed_at, trashed_by)
      select id, ${type}, ${name}, ${bytes}, ${at}, ${at}, ${at}, ${unfinished} from vault_repos
      where id = ${repositoryId}
      on conflict do nothing returning repo_id, bytes)
    update vault_usage u set trash_bytes = trash_bytes + kept.bytes
    from kept join vault_repos r on r.id = kept.repo_id where u.owner = r.owner`.execute(db)
}

/** Ends an upload that brought nothing; its room is given back. One that is gone already is success. */
export async function giveBack(db: Db, uploadId: string): Promise<void> {
  await sql`
    with gone as (delete from vault_uploads where id = ${uploadId} returning owner, bytes)
    update vault_usage u set reserved_bytes = reserved_bytes - gone.bytes from gone where u.owner = gone.owner
  `.execute(db)
}
