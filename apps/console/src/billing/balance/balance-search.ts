import { balanceParts } from '@atoll/contract/billing'
import { defineListSearch, oneOf } from '../../kit/table/list-search.ts'

/** The search of `/balanceDetail`: of which part the records are. */
export const balanceSearch = defineListSearch({ of: oneOf(balanceParts) })
