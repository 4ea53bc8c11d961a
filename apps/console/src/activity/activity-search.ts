import { type AuditKind, AuditObjectId, auditKinds } from '@atoll/contract/audit'
import { Did } from '@atoll/contract/wire'

export interface ActivitySearch {
  kind?: AuditKind
  /** Only what this userid did. */
  actor?: string
  /** Only what was done to the object with this id. */
  object?: string
  /** Only the last so many days. */
  days?: number
  /** From 1, the newest. */
  page?: number
}

export const dayChoices = [1, 7, 30] as const

/** The search of `/activity`; what cannot be is dropped, so that no address leads to a question the server refuses. */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const kind = auditKinds.find((known) => known === search.kind)
  const days = dayChoices.find((known) => known === Number(search.days))
  const [actor, object] = [Did.safeParse(search.actor).data, AuditObjectId.safeParse(search.object).data]
  const page = Number(search.page)
  return {
    ...(kind && { kind }),
    ...(actor && { actor }),
    ...(object && { object }),
    ...(days && { days }),
    ...(Number.isInteger(page) && page > 1 && page <= 1_000_000 && { page }),
  }
}
