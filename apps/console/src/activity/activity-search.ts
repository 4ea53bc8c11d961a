import { AuditObjectId, auditKinds } from '@atoll/contract/audit'
import { Did } from '@atoll/contract/wire'
import { defineListSearch, oneOf } from '../kit/table/list-search.ts'

export const dayChoices = [1, 7, 30] as const

/** The search of `/activity`: of what kind, done by whom, to which object, in the last so many days. */
export const activitySearch = defineListSearch({
  kind: oneOf(auditKinds),
  actor: Did,
  object: AuditObjectId,
  days: oneOf(dayChoices),
})
export type ActivitySearch = ReturnType<typeof activitySearch>
