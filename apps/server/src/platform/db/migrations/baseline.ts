/**
 * The baseline: migrations 1001 to 1027, one for each module, which make the schema of the first release. Earlier
 * versions made the same schema by other files. A database that has had all of those is adopted by a step of its own,
 * which only records the baseline as applied; one that lacks any of them is refused.
 */
import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { OperatorError } from '../../operator-error.ts'
import type { Migration } from './migration-files.ts'

export interface AppliedMigration {
  name: string
  checksum: string
  oldest_program: string | null
}

/** The files from before the baseline: the last one, and the SHA-256 over the names and checksums of all. */
const before = {
  last: '0861-account-erasures.sql',
  digest: '569a021b7ce603b20afe32bb5bef44110833d4e1b12b127c07712e5e24929cab',
}
const adoptionName = '1000-adopt-baseline.sql'
const lastOfBaseline = '1027-backups.sql'
const isBaseline = ({ name }: { name: string }) => name > adoptionName && name <= lastOfBaseline

/**
 * `rows` as `migrations` know them: a database from before the baseline seems to have had it, and `adoption` is the
 * migration that records so. Throws an `OperatorError` for one that lacks a file from before.
 */
export function adoptBaseline(
  rows: AppliedMigration[],
  migrations: readonly Migration[],
): { rows: AppliedMigration[]; adoption?: Migration } {
  const baseline = migrations.filter(isBaseline)
  const old = rows.filter(({ name }) => name < adoptionName)
  const others = rows.filter(({ name }) => name > adoptionName)
  if (baseline.length === 0 || old.length === 0) return { rows: rows.filter(({ name }) => name !== adoptionName) }
  if (digestOf(old) !== before.digest) {
    throw new OperatorError(
      `The database is older than the first release, and its last migration is ${old.at(-1)?.name}: only one that has ` +
        `had all until ${before.last} is adopted. Start the last version from before the first release on it once.`,
    )
  }
  const taken = baseline.map(({ name, checksum }) => ({ name, checksum, oldest_program: null }))
  const adoption = { name: adoptionName, sql: '', checksum: '', oldestProgram: undefined, adopts: taken }
  return { rows: [...taken, ...others], adoption }
}

/** Records the baseline as applied in place of the files from before it; in the caller's transaction. */
export async function recordBaseline(client: PoolClient, baseline: NonNullable<Migration['adopts']>): Promise<void> {
  await client.query('delete from schema_migrations where name < $1', [adoptionName])
  for (const { name, checksum } of baseline)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
}

/** SHA-256, hex, over the names and checksums of `rows`, which are in the order of their names. */
export function digestOf(rows: readonly Pick<AppliedMigration, 'name' | 'checksum'>[]): string {
  return createHash('sha256')
    .update(rows.map(({ name, checksum }) => `${name} ${checksum}\n`).join(''))
    .digest('hex')
}
