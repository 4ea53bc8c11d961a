import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { CloudStore } from './cloud-store.ts'

export interface ClientDeps {
  db: Db
  clock: Clock
  /** Undefined: personal servers cannot store backups themselves. */
  cloudStore: CloudStore | undefined
  /** Locks the account: what counts its backups does so one after another. */
  lockAccount(trx: Trx, owner: string): Promise<unknown>
  /** Bytes of backups that the account may keep, and keeps in the vault; `most` null: more is charged. */
  storeRoom(db: Db, owner: string): Promise<{ most: number | null; used: number }>
}
