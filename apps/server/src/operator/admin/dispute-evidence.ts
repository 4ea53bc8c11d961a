import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { collectEvidence } from '../../modules/billing/index.ts'
import { zipOf } from '../../platform/archives/zip.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'

/**
 * Writes the evidence that answers a bank's dispute as a ZIP into the current folder, readable only by its owner;
 * reports its path.
 */
export async function writeEvidence(db: Db, config: Config, dispute: string): Promise<string> {
  const { disputeId, files } = await collectEvidence(db, await checkSameKey(db, requireSecretKeys(config)), dispute)
  const path = resolve(`${disputeId}.zip`)
  await writeFile(path, zipOf(files, new Date()), { mode: 0o600 })
  return `${files.length} files are in ${path}. They name addresses and mails: keep them as you keep the database.`
}
