import type { Db, Trx } from '../../../platform/db/index.ts'
import { insertLevels, keepMark } from './reading-tables.ts'
import { hourMs } from './take-traffic.ts'

/** The current size of a backup repository. */
export interface BackupLevel {
  repositoryId: string
  clusterId: string
  owner: string
  /** Of its live files; trash is not read. */
  bytes: number
}

export interface BackupDeps {
  /** Of all repositories, also those that hold nothing any more. */
  listBackupLevels(db: Db): Promise<BackupLevel[]>
}

/** Reads what backups hold, once an hour for each repository. Safe to repeat. */
export async function takeBackups({ listBackupLevels }: BackupDeps, db: Db, now: Date): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  const levels = (await listBackupLevels(db)).map(({ repositoryId: series, clusterId, owner, bytes }) => ({
    owner,
    clusterId,
    series,
    at: now,
    bytes,
    key: `backup ${series} ${hour}`,
  }))
  await db.transaction().execute(async (trx) => {
    await insertLevels(trx, 'cloud_backup', levels, now)
    await keepMark(trx, 'backup', now, now)
  })
}

/** Reads what a repository holds from now on, as it has just changed. Safe to repeat at the same moment. */
export async function takeBackup(trx: Trx, level: BackupLevel, now: Date): Promise<void> {
  const { repositoryId: series, ...held } = level
  const key = `backup ${series} changed ${now.toISOString()}`
  await insertLevels(trx, 'cloud_backup', [{ ...held, series, at: now, key }], now)
}
