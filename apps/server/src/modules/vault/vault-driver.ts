import type { Claims } from '../../platform/careful/index.ts'
import type { FileKey, FileType } from './vault-tables.ts'

/** Storage of files. Names, and whether a file may exist, are decided by the caller. */
export interface VaultDriver {
  /** Makes what a repository needs before its first file; again is success. */
  prepare(repositoryId: string): Promise<void>
  /** A place for what comes under this upload's id to be the file of this name; nobody can read it yet. */
  receive(uploadId: string, of: { key: FileKey; bytes: number }): Promise<Incoming>
  /** The file; undefined: it is not there, or cannot be opened while the store itself works. */
  open(key: FileKey): Promise<StoredFile | undefined>
  /** Removes the file; one that is not there is success. */
  remove(key: FileKey): Promise<void>
  /** Bytes on the disk: free for us, and in all. Null where there is no end. */
  space(): Promise<{ free: number; total: number } | null>
  /**
   * Removes leftovers of uploads that are no longer known; returns how many were removed. One that cannot be removed is
   * told to `onFailed`, which ends it all by throwing, and holds up no other one.
   */
  removeUploads(
    isKnown: (uploadIds: readonly string[]) => Promise<ReadonlySet<string>>,
    onFailed: OnUploadFailed,
  ): Promise<number>
  /** Where it is kept whose files these are, and how far that deployment's database was. */
  readonly claims: Claims
  /** The small file beside a repository that says whose it is; undefined: there is none. */
  readPlanFile(repositoryId: string): Promise<string | undefined>
  /** Writes the file atomically, in place of an existing one; null removes it. */
  writePlanFile(repositoryId: string, text: string | null): Promise<void>
  /** Removes the place of a repository that has no file any more; one with files stays as it is. */
  dropRepository(repositoryId: string): Promise<void>
  /** Repositories that are there, known or not. */
  listRepositories(): AsyncIterable<string>
  /** Files of one type; only those whose names can be files of restic. */
  listNames(repositoryId: string, type: FileType): AsyncIterable<string>
}

export type OnUploadFailed = (uploadId: string, error: unknown) => void

/** Name of the file that says whose a repository is: restic knows no such file, and our listener gives none of it. */
export const planFileName = 'atoll-plan.json'
/** A plan has twenty paths at most; a longer file is not ours. bytes */
export const longestPlanFile = 262_144

export interface Incoming {
  /** Resolves when the bytes are taken and their memory may be reused: an awaiting caller holds one group at a time. */
  write(chunks: readonly Uint8Array[]): Promise<void>
  /** All bytes are durable, even if the machine fails. */
  sync(): Promise<void>
  /** Puts it in its place, replacing an existing file; it is still found after a crash. */
  keep(): Promise<void>
  /** Nothing is left of it but, after `keep`, the file. */
  discard(): Promise<void>
}

export interface StoredFile {
  bytes: number
  /** When its last byte was written. */
  storedAt: Date
  /**
   * From `start` to `end`, both included; all of it when left out; less where the rest cannot be read. A chunk holds
   * until the next one is asked for.
   */
  read(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
