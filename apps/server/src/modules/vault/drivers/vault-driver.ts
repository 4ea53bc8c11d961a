import type { FileKey, FileType } from '../records/vault-tables.ts'

/** Where files are. What a file is called and whether it may be there, its caller knows. */
export interface VaultDriver {
  /** Makes what a repository needs before its first file; again is success. */
  prepare(repositoryId: string): Promise<void>
  /** A place for what comes under this upload's id to be the file of this name; nobody can read it yet. */
  receive(uploadId: string, of: { key: FileKey; bytes: number }): Promise<Incoming>
  /** The file; undefined: it is not there. */
  open(key: FileKey): Promise<StoredFile | undefined>
  /** Removes the file; one that is not there is success. */
  remove(key: FileKey): Promise<void>
  /** Bytes on the disk: free for us, and in all. Null where there is no end. */
  space(): Promise<{ free: number; total: number } | null>
  /** What was left of uploads that nobody knows any more; says how many were removed. */
  removeUploads(isKnown: (uploadIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>
  /** Repositories that are there, known or not. */
  listRepositories(): AsyncIterable<string>
  /** Files of one type; only those whose names can be files of restic. */
  listNames(repositoryId: string, type: FileType): AsyncIterable<string>
}

export interface Incoming {
  /** Resolves when the bytes are taken, and their memory may be another's: whoever waits holds one group at a time. */
  write(chunks: readonly Uint8Array[]): Promise<void>
  /** All bytes are kept, whatever happens to the machine. */
  sync(): Promise<void>
  /** Makes it the file, in place of one that is there; it is found after a crash, too. */
  keep(): Promise<void>
  /** Nothing is left of it but, after `keep`, the file. */
  discard(): Promise<void>
}

export interface StoredFile {
  bytes: number
  /** When its last byte was written. */
  storedAt: Date
  /** From `start` to `end`, both included; all of it when left out. A chunk holds until the next one is asked for. */
  read(range?: { start: number; end: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}
