import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { openArchive } from '../../modules/rights/index.ts'
import { zipOf } from '../../platform/archives/zip.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'

/** Writes the issued documents of an erased account as a ZIP into the current folder, readable only by its owner. */
export async function writeArchive(db: Db, config: Config, accountId: string): Promise<string> {
  const files = await openArchive(db, await checkSameKey(db, requireSecretKeys(config)), { accountId })
  if (files.length === 0) return `No documents of ${accountId} are kept: it is not erased, or their years are over.`
  const path = resolve(`${accountId}.zip`)
  await writeFile(path, zipOf(files, new Date()), { mode: 0o600 })
  return `${files.length} files are in ${path}. They say who the customer was: delete them when they are read.`
}
