import { type AuditKind, auditKinds } from '@atoll/contract'

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
const longest = 256

/** The search of `/activity`; what cannot be is dropped. */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const text = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined
  const kind = auditKinds.find((known) => known === search.kind)
  const days = dayChoices.find((known) => known === Number(search.days))
  const [actor, object] = [text(search.actor), text(search.object)]
  const page = Number(search.page)
  return {
    ...(kind && { kind }),
    ...(actor && { actor }),
    ...(object && { object }),
    ...(days && { days }),
    ...(Number.isInteger(page) && page > 1 && page <= 1_000_000 && { page }),
  }
}
