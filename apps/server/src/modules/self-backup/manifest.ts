import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Metadata of a backup, stored in it. */
export const Manifest = z.object({
  format: z.literal(1),
  takenAt: z.iso.datetime(),
  /** Id of the folder with the instances of `process`; null: there were none. */
  folderId: z.string().nullable(),
  /** Records of the audit log before the copy was begun: the copy has these at least. */
  auditRecords: z.int(),
  /** Whether the secret key is in it; absent: taken before that was said. */
  hasKey: z.boolean().optional(),
  /** Snapshot with the dump of the database; absent: a copy of the embedded one is in this snapshot. */
  dump: z.string().optional(),
})
export type Manifest = z.infer<typeof Manifest>

export const manifestFile = 'manifest.json'

export async function readManifest(folder: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, manifestFile), 'utf8')))
}
