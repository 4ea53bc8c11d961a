/** Which machines of a region take new instances: the ones with most room of what is scarcest there. */

/** vCPU, and MiB of memory and disk. */
export interface Size {
  cpu: number
  memory: number
  disk: number
}

export interface MemberRoom {
  member: string
  /** It takes new orders: nobody has switched it off, it answers, and its disk has room. */
  accepts: boolean
  /** May be sold of it. */
  total: Size
  sold: Size
}

const resources = ['cpu', 'memory', 'disk'] as const

/** How many more of this size fit on a member; fewer than none is none. */
export function roomOn({ accepts, total, sold }: MemberRoom, size: Size): number {
  if (!accepts) return 0
  const most = Math.min(
    ...resources.map((resource) =>
      size[resource] > 0 ? Math.floor((total[resource] - sold[resource]) / size[resource]) : Number.POSITIVE_INFINITY,
    ),
  )
  return Math.max(0, most)
}

/** How many more of this size the members take together. */
export function roomFor(members: readonly MemberRoom[], size: Size): number {
  return members.reduce((sum, member) => sum + roomOn(member, size), 0)
}

/** The part of a member's scarcest resource that is left. */
export function leftOn({ total, sold }: MemberRoom): number {
  return Math.min(...resources.map((resource) => (total[resource] > 0 ? 1 - sold[resource] / total[resource] : 0)))
}

/**
 * A member for each of `count` instances, placed one after another. Undefined: there is not room for all.
 * `isLimited`: false where no limits are set: then each goes where most is left, however little that is.
 */
export function chooseMembers(
  members: readonly MemberRoom[],
  { size, count, isLimited }: { size: Size; count: number; isLimited: boolean },
): string[] | undefined {
  const open = members.filter(({ accepts }) => accepts).map((member) => ({ ...member, sold: { ...member.sold } }))
  const chosen: string[] = []
  while (chosen.length < count) {
    const fitting = isLimited ? open.filter((member) => roomOn(member, size) > 0) : open
    const [best] = fitting.toSorted((a, b) => leftOn(b) - leftOn(a) || (a.member < b.member ? -1 : 1))
    if (!best) return undefined
    for (const resource of resources) best.sold[resource] += size[resource]
    chosen.push(best.member)
  }
  return chosen
}
