import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'

export interface CredentialDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  /** `publicUrl`: where the documents that credentials name are read. */
  config: { publicUrl: string; chinaUrl: string; product: string }
}
