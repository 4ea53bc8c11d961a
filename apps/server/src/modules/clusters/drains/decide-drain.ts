/**
 * Decides the next step of a drain. Pure: `drain-job.ts` reads the facts and carries the step out, every minute.
 *
 * States   running → done | noRoom | over | left | stopped. Staff begin one with an approval, and stop it.
 * Steps    tell (mails to the owners, before anything moves) · move (one instance, where there is room for it) · wait ·
 *          end. One instance moves at a time, is begun only within the window, and is tried once: one that did not get
 *          there runs where it was.
 * Writers  the job, and staff who stop it, both under the drain's row lock; the instance's own state is written by the
 *          reconciler of its cluster, which also gives a move up that does not succeed.
 * Repeats  every step may be repeated: mails and a move are noted in the transaction that begins them.
 * Stopping what is being moved when a drain is stopped or its window ends gets there; what has moved stays.
 */
import { chooseMembers, type MemberRoom, type Size } from '../capacity/choose-members.ts'
import type { DrainEnd } from '../capacity/drain-store.ts'

export interface DrainedInstance {
  id: string
  size: Size
  /** `busy`: something else is done to it now; `fixed`: it cannot be moved as it is. */
  state: 'ready' | 'moving' | 'busy' | 'fixed'
  /** This drain has begun to move it before. */
  wasTried: boolean
}

export interface DrainFacts {
  now: Date
  isTold: boolean
  beginsAt: Date
  endsAt: Date
  /** On the member, in the order in which they are moved. */
  instances: readonly DrainedInstance[]
  /** Of the other members of the region, with what is on its way to them counted as sold. */
  rooms: readonly MemberRoom[]
  /** The region has limits of what may be sold. */
  isLimited: boolean
}

export type DrainStep =
  | { do: 'tell' }
  | { do: 'wait' }
  | { do: 'move'; instanceId: string; member: string }
  | { do: 'end'; state: Exclude<DrainEnd, 'stopped'> }

export function decideDrain(facts: DrainFacts): DrainStep {
  const { now, beginsAt, endsAt, instances, isTold } = facts
  if (instances.some(({ state }) => state === 'moving')) return { do: 'wait' }
  if (instances.length === 0) return { do: 'end', state: 'done' }
  if (now >= endsAt) return { do: 'end', state: 'over' }
  if (!isTold) return { do: 'tell' }
  if (now < beginsAt) return { do: 'wait' }
  const [next] = planMoves(facts)
  if (next) return { do: 'move', ...next }
  if (instances.some(({ state }) => state === 'busy')) return { do: 'wait' }
  return { do: 'end', state: instances.some(isOpen) ? 'noRoom' : 'left' }
}

/** As many of the instances as there is room for, each with where it goes. */
export function planMoves({
  instances,
  rooms,
  isLimited,
}: Pick<DrainFacts, 'instances' | 'rooms' | 'isLimited'>): { instanceId: string; member: string }[] {
  const left = rooms.map((room) => ({ ...room, sold: { ...room.sold } }))
  return instances.filter(isOpen).flatMap(({ id, size }) => {
    const [member] = chooseMembers(left, { size, count: 1, isLimited }) ?? []
    const taken = left.find((room) => room.member === member)
    if (member === undefined || !taken) return []
    taken.sold = {
      cpu: taken.sold.cpu + size.cpu,
      memory: taken.sold.memory + size.memory,
      disk: taken.sold.disk + size.disk,
    }
    return [{ instanceId: id, member }]
  })
}

function isOpen({ state, wasTried }: DrainedInstance): boolean {
  return state === 'ready' && !wasTried
}
