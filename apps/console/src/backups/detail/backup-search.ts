import { SnapshotId } from '@atoll/contract/backups'
import { defineListSearch } from '../../kit/table/list-search.ts'

/** The search of `/backupDetails/{backupId}`: which page of its snapshots, or the one whose files are shown. */
export const backupSearch = defineListSearch({ snapshot: SnapshotId })
