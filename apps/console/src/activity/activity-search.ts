import { AuditFilter } from '@atoll/contract/audit'
import { defineListSearch, oneOf } from '../kit/table/list-search.ts'

export const dayChoices = [1, 7, 30] as const

const { kind, actor, object } = AuditFilter.shape

/** The search of `/activity`: of what kind, done by whom, to which object, in the last so many days. */
export const activitySearch = defineListSearch({ kind, actor, object, days: oneOf(dayChoices) })
export type ActivitySearch = ReturnType<typeof activitySearch>
