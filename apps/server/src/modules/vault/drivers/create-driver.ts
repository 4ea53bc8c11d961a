import type { Db } from '../../../platform/db/index.ts'
import type { S3Options } from '../../../platform/drivers/s3/s3-client.ts'
import { hasFiles } from '../records/file-store.ts'
import type { VaultDriver } from '../vault-driver.ts'
import { createFolderDriver } from './folder/folder-driver.ts'
import { createS3Driver } from './s3/s3-driver.ts'

/** Where files are kept. */
export interface VaultPlace {
  /** Absolute. */
  vaultDir: string
  /** Instead of the folder. */
  vaultBucket?: S3Options | undefined
}

export function createDriver(db: Db, { vaultDir, vaultBucket }: VaultPlace): VaultDriver {
  return vaultBucket ? createS3Driver(vaultBucket) : createFolderDriver(vaultDir, () => hasFiles(db))
}
