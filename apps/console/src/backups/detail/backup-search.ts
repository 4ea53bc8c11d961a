import { defineListSearch } from '../../kit/table/list-search.ts'

/** The search of `/backupDetails/{backupId}`: which page of its snapshots. */
export const backupSearch = defineListSearch({})
