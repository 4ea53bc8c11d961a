import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { findFact } from '../../platform/facts/index.ts'
import { isKeyOf, keyMarkFact } from '../../platform/keys/index.ts'

/**
 * The file with this deployment's secret key; undefined: the key comes from a setting, and a file that exists
 * nevertheless holds another key, which would open nothing.
 */
export async function findKeyFile(db: Db, dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, 'secret.key')
  if (!existsSync(path)) return undefined
  const mark = await findFact(db, keyMarkFact)
  const keys = requireSecretKeys({ secretKey: undefined, dataDir })
  return mark === undefined || isKeyOf(keys, mark) ? path : undefined
}
