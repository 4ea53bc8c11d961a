import { longestDrainMs, usualDrainMs } from '@atoll/contract/staff'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { listMembers, setAccepts } from '../capacity/capacity-store.ts'
import { endDrain, insertDrain, type MemberKey } from '../capacity/drain-store.ts'
import { planMoves } from './decide-drain.ts'
import { type DrainDeps, memberOf, readPlace } from './drain-facts.ts'

export interface PlannedDrain {
  instances: number
  /** MiB. */
  disk: number
  diskUsed: number
  fitting: number
  fittingDisk: number
}

/** How much of a member could be moved now. */
export async function planDrain(deps: Pick<DrainDeps, 'compute'>, db: Db, at: MemberKey): Promise<PlannedDrain> {
  const found = (await listMembers(db, at)).find(({ member }) => member === at.member) ?? refuse('memberGone')
  const place = await readPlace(deps, db, at, null)
  const fitting = new Set(planMoves(place).map(({ instanceId }) => instanceId))
  const diskOf = (rows: typeof place.instances) => rows.reduce((sum, { size }) => sum + size.disk, 0)
  return {
    instances: place.instances.length,
    disk: diskOf(place.instances),
    diskUsed: Number(found.disk_used_mib),
    fitting: fitting.size,
    fittingDisk: diskOf(place.instances.filter(({ id }) => fitting.has(id))),
  }
}

/** Begins to drain a member, which takes no orders from here on. */
export async function startDrain(
  deps: DrainDeps,
  trx: Trx,
  at: MemberKey,
  { beginsAt, endsAt, by }: { beginsAt: string | undefined; endsAt: string | undefined; by: string },
): Promise<void> {
  const now = deps.clock.now()
  const begins = beginsAt === undefined ? now : new Date(beginsAt)
  const ends = endsAt === undefined ? new Date(begins.getTime() + usualDrainMs) : new Date(endsAt)
  if (ends <= now || ends <= begins || ends.getTime() - now.getTime() > longestDrainMs) refuse('drainWindow')
  if (!(await setAccepts(trx, at, { member: at.member, accepts: false }))) refuse('memberGone')
  if ((await planDrain(deps, trx, at)).fitting === 0) refuse('drainNoRoom')
  const isNew = await insertDrain(trx, {
    id: newId('dr'),
    cloud_name: at.cloudName,
    region_id: at.regionId,
    member: at.member,
    begins_at: begins,
    ends_at: ends,
    asked_by: by,
    asked_at: now,
  })
  if (!isNew) refuse('drainOpen')
}

/** Gives the member whose drain it was. */
export async function stopDrain({ clock }: Pick<DrainDeps, 'clock'>, trx: Trx, drainId: string): Promise<MemberKey> {
  return memberOf((await endDrain(trx, drainId, 'stopped', clock.now())) ?? refuse('drainGone'))
}
