/**
 * `backup/unread.json`: files of each backup that the last run could not read, and those that the last restore could
 * not restore. Their names are the owner's: they stay on the machine, whose page shows them.
 */
import { z } from 'zod'
import { hasErrorCode, writeFileAtomic } from '../../kernel/atomic-file.ts'
import { readJsonFile } from '../../kernel/home.ts'

/** So many are named; the others are counted. */
export const mostNamed = 200

const Unread = z.object({ at: z.iso.datetime(), count: z.int().nonnegative(), paths: z.array(z.string()) })
export type Unread = z.infer<typeof Unread>
const OfBackup = z.object({ run: Unread.nullable(), restore: Unread.nullable() })
const All = z.record(z.string(), OfBackup)

export interface UnreadFiles {
  find(backupId: string): Promise<z.infer<typeof OfBackup>>
  /** `paths`: of the drive, readable; none: everything could be read. A full disk costs the names alone. */
  note(backupId: string, of: 'run' | 'restore', paths: readonly string[]): Promise<void>
}

export function openUnreadFiles(file: string): UnreadFiles {
  const readAll = async () => (await readJsonFile(file, All)) ?? {}
  const none = { run: null, restore: null }
  return {
    find: async (backupId) => (await readAll())[backupId] ?? none,
    async note(backupId, of, paths) {
      const all = await readAll()
      const unread = { at: new Date().toISOString(), count: paths.length, paths: paths.slice(0, mostNamed) }
      const told = { ...(all[backupId] ?? none), [of]: paths.length > 0 ? unread : null }
      await writeFileAtomic(file, JSON.stringify({ ...all, [backupId]: told })).catch((error: unknown) => {
        if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
      })
    },
  }
}
