import { defineListSearch } from '../kit/table/list-search.ts'

/** The search of `/domain/{base}`: which page of its members. */
export const domainSearch = defineListSearch({})
