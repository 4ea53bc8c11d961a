/**
 * Failures of a backup are reported to its owner once for each cause, and once when everything works again. Pure: rows
 * and mails follow.
 */

export const troubleSources = ['run', 'prune', 'check'] as const
export type TroubleSource = (typeof troubleSources)[number]

/** Causes that were reported since it last worked, by source; absent: it works. */
export type Troubles = { readonly [S in TroubleSource]?: readonly string[] | undefined }

/** The notice to send when `source` has ended. `cause`: a stable key of the failure; null: it worked. */
export function noteEnd(
  before: Troubles,
  source: TroubleSource,
  cause: string | null,
): { troubles: Troubles; tell: 'began' | 'over' | null } {
  const { [source]: told, ...others } = before
  if (cause === null) {
    const isOver = told !== undefined && Object.values(others).every((causes) => causes === undefined)
    return { troubles: others, tell: isOver ? 'over' : null }
  }
  const isKnown = Object.values(before).some((causes) => causes?.includes(cause))
  const causes = told?.includes(cause) ? told : [...(told ?? []), cause]
  return { troubles: { ...others, [source]: causes }, tell: isKnown ? null : 'began' }
}
