/**
 * Files of a snapshot as the console shows them. Browser and machine alone can read this: the browser encrypts a query
 * for the machine's key, the machine encrypts the page for the key in the query, which the browser made for this visit.
 */
import { z } from 'zod'
import { BackupKey } from '../agents/backup-tasks.ts'

/** Names as the machine writes them: a byte that is no UTF-8 is one of the 128 characters from U+10FF80 on. */
const SnapshotPath = z.string().min(1).max(8192)
/** Entries of a page; fewer where long names fill it. */
export const mostLookEntries = 200
/** Entries that one restore may choose; a folder counts as one. */
export const mostChosen = 500

export const LookQuery = z.strictObject({
  /** The folder, or where `find` begins; `/` is the whole snapshot. */
  path: SnapshotPath,
  /** Words that a name must have, anywhere below `path`; empty: the entries of the folder itself. */
  find: z.string().max(256),
  offset: z.int().nonnegative(),
  /** Of this visit: the page is encrypted for it. */
  key: BackupKey,
  /** Where the machine does not keep it. One that opens the backup is kept there from then on. */
  password: z.string().min(1).max(1024).optional(),
})
export type LookQuery = z.infer<typeof LookQuery>

export const LookEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']).catch('other'),
  /** Bytes, of a folder those of all files in it; null: not known. */
  size: z.number().nullable(),
  /** Files in a folder; null for all else, and where it is not known. */
  files: z.number().nullable(),
  /** ms */
  modifiedAt: z.number(),
  /** Of what was found: the folder that it lies in. */
  folder: z.string().optional(),
})
export type LookEntry = z.infer<typeof LookEntry>

export const LookPage = z.object({
  /** As asked: an answer to another question is none. */
  path: z.string(),
  find: z.string(),
  offset: z.number(),
  entries: z.array(LookEntry).max(mostLookEntries),
  /** In the folder, or found. */
  total: z.number(),
  /** There are more than are counted. */
  truncated: z.boolean(),
})
export type LookPage = z.infer<typeof LookPage>

/** The entries that a restore brings back: a folder with all that is in it. */
export const RestoreChoice = z.strictObject({
  paths: z.array(SnapshotPath).min(1).max(mostChosen),
  /** With `beside`: the folder of the drive that gets them, in place of where they were. */
  into: SnapshotPath.optional(),
})
export type RestoreChoice = z.infer<typeof RestoreChoice>
