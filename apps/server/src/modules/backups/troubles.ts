/**
 * Of what fails in a backup its owner is told once a cause, and once when all works again. Pure: rows and mails follow.
 */

export const troubleSources = ['run', 'prune', 'check'] as const
export type TroubleSource = (typeof troubleSources)[number]

/** Causes that were told since it last worked, by what failed; absent: it works. */
export type Troubles = { readonly [S in TroubleSource]?: readonly string[] | undefined }

/** What is to be told of an end of `source`. `cause`: why it failed, the same each time; null: it worked. */
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
