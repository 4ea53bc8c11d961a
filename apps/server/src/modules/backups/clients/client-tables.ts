import type { Generated, JSONColumnType } from 'kysely'

interface ClientBackupsTable {
  owner: string
  id: string
  name: string
  kind: 'files' | 'app'
  path: string
  location: string
  made_at: Date
  state: 'saved' | 'stopped' | 'deleted'
  created_at: Date
}

interface ClientSnapshotsTable {
  owner: string
  backup_id: string
  id: string
  restic_id: string
  bytes: number
  new_bytes: number
  taken_at: Date
  status: string
  kind: 'fully' | 'incremental'
  place: JSONColumnType<{ url: string; cloud: string; region: string; bucket: string; prefix: string }>
  message: string
  created_at: Date
}

interface ClientPrefixesTable {
  prefix: string
  owner: string
  server_ref: string
  bytes: Generated<number>
  listed_at: Generated<Date | null>
  /** The account ended. */
  ended_at: Generated<Date | null>
  created_at: Date
}

interface StsGrantsTable {
  hash: string
  prefix: string
  expires_at: Date
  created_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    client_backups: ClientBackupsTable
    client_snapshots: ClientSnapshotsTable
    client_prefixes: ClientPrefixesTable
    sts_grants: StsGrantsTable
  }
}
