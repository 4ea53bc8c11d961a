import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** restic's kinds of files; `config` is one file. */
export const fileTypes = ['config', 'keys', 'locks', 'snapshots', 'index', 'data'] as const
export type FileType = (typeof fileTypes)[number]

export interface FileKey {
  repositoryId: string
  type: FileType
  /** 64 hex characters, or `config`. */
  name: string
}

/** The permissions of a grant: each right includes the one before it. */
export type Right = 'read' | 'write' | 'prune'

interface VaultReposTable {
  /** `vr_…` */
  id: string
  owner: string
  cluster_id: string
  created_at: Date
  config_sha256: string | null
}

interface VaultFilesTable {
  repo_id: string
  type: FileType
  /** 64 hex characters, or `config`. */
  name: string
  bytes: number
  stored_at: Date
  trashed_at: Date | null
  /** `vg_…` of the grant that took it, or the other cause that was passed to `trash`. */
  trashed_by: string | null
  removing_at: Date | null
  scrubbed_at: Date | null
  scrub_at: Date
  bad_at: Date | null
  /** `vg_…` of the grant that brought it; null: before that was recorded. */
  grant_id: Generated<string | null>
  past: ColumnType<PastHand[] | null, string | null | undefined, string | null>
  /** All of a `config` or a key; null: of the other types, and while it has not been read since this is kept. */
  content: Generated<Buffer | null>
}

/** The grants, or other causes given to `trash`, that stored and took a file; null: before every grant. */
export interface PastHand {
  storedBy: string | null
  takenBy: string | null
}

interface VaultGoneTable {
  repo_id: string
  stored_by: string
  taken_by: string
  files: number
  bytes: number
}

interface VaultReturnsTable {
  /** `vb_…` */
  id: string
  /** In the order in which they came. */
  number: Generated<number>
  repo_id: string
  grant_id: string
  at: Date
  undone_at: Generated<Date | null>
}

interface VaultGrantsTable {
  /** `vg_…` */
  id: string
  repo_id: string
  rights: Right
  token_hash: string
  task_id: string
  until: Date
  delete_snapshots: JSONColumnType<string[]>
  delete_key: string | null
  created_at: Date
  reserve_at: Generated<Date | null>
}

interface VaultGrantHistoryTable {
  /** `vg_…` */
  id: string
  /** In the order in which the grants were given, whatever the clock said. */
  number: Generated<number>
  repo_id: string
  rights: Right
  task_id: string
  created_at: Date
  refused: Generated<'quota' | 'disk' | null>
}

interface VaultUsageTable {
  owner: string
  live_bytes: Generated<number>
  reserved_bytes: Generated<number>
  trash_bytes: Generated<number>
}

interface VaultUploadsTable {
  /** `vu_…` */
  id: string
  repo_id: string
  owner: string
  type: FileType | null
  name: string | null
  bytes: number
  /** Name of the lease of the process that receives it. */
  holder: string
  begun_at: Generated<Date>
  grant_id: Generated<string | null>
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    vault_repos: VaultReposTable
    vault_files: VaultFilesTable
    vault_grants: VaultGrantsTable
    vault_grant_history: VaultGrantHistoryTable
    vault_gone: VaultGoneTable
    vault_returns: VaultReturnsTable
    vault_usage: VaultUsageTable
    vault_uploads: VaultUploadsTable
  }
}
