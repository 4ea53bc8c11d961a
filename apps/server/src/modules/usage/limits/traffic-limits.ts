/**
 * Whether an account's plan lets its clusters be served. Each account has an allowance: bytes that may move before the
 * answer can change. Edges subtract the bytes they counted, in the transaction that counts them, and ask the plan again
 * when the allowance is used up. For an account that is limited, the plan is asked again at each look-up of a route, so
 * that a raised plan or cap, or a new period, opens within the two seconds that edges keep a route.
 *
 * States of an allowance: open, limited. Written under its row's lock by the process that asked the plan; safe to
 * repeat.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { TrafficRoom } from '../../billing/index.ts'
import { addTraffic, type CountedTraffic } from '../../edge/index.ts'
import {
  findAllowance,
  forgetAllowance,
  forgetAllowances,
  keepAllowance,
  lockAllowance,
  spendAllowances,
} from './allowance-store.ts'

/** Other causes (storage that uses up a cap) change the answer within so long, ms. */
const freshMs = 5 * 60_000

export interface TrafficLimitsDeps {
  db: Db
  clock: Clock
  log: Log
  /** The plan's current answer. */
  readRoom(db: Db, userid: string): Promise<TrafficRoom>
  /** In the transaction by which an account is limited, or served again. */
  onTurn(trx: Trx, userid: string): Promise<void>
  /** Owners of clusters, by id. */
  listOwners(db: Db, clusterIds: readonly string[]): Promise<{ clusterId: string; owner: string }[]>
  listLivingClusterIds(db: Db, owner: string): Promise<string[]>
}

export interface TrafficLimits {
  /** Counts what an edge carried; who has used up the plan by it is limited before this resolves. */
  count(at: Date, counted: readonly CountedTraffic[]): Promise<void>
  /** As `count` within a transaction; gives the accounts to `check` after it. */
  countIn(trx: Trx, at: Date, counted: readonly CountedTraffic[]): Promise<string[]>
  check(userid: string): Promise<TrafficRoom | undefined>
  /** `limitedUntil`: when one that is limited may be served again at the latest; undefined: it is served. */
  ofOwner(userid: string): Promise<{ limitedUntil: Date | undefined; bytesPerSecond: number | undefined }>
  /** Call it when the plan's answer changes; the plan is asked again once the account moves something. */
  forget(trx: Trx, userid: string): Promise<void>
  /** As `forget`, for all accounts. */
  forgetAll(): Promise<void>
}

export function createTrafficLimits(deps: TrafficLimitsDeps): TrafficLimits {
  const { db, clock, log, readRoom, onTurn, listOwners, listLivingClusterIds } = deps

  async function countIn(trx: Trx, at: Date, counted: readonly CountedTraffic[]): Promise<string[]> {
    await addTraffic(trx, at, counted)
    const owners = await listOwners(
      trx,
      counted.map(({ clusterId }) => clusterId),
    )
    const ownerOf = new Map(owners.map(({ clusterId, owner }) => [clusterId, owner]))
    const moved = new Map<string, number>()
    for (const { clusterId, in: bytesIn, out } of counted) {
      const owner = ownerOf.get(clusterId)
      if (owner !== undefined) moved.set(owner, (moved.get(owner) ?? 0) + bytesIn + out)
    }
    const now = clock.now().getTime()
    return await spendAllowances(trx, moved, { from: new Date(now - freshMs), to: new Date(now + freshMs) })
  }

  async function check(userid: string): Promise<TrafficRoom | undefined> {
    return await db.transaction().execute(async (trx) => {
      const before = await lockAllowance(trx, userid)
      if (!before) return undefined
      const room = await readRoom(trx, userid)
      const { isLimited: limited, bytes: left_bytes, bandwidthMbit: bandwidth_mbit } = room
      await keepAllowance(trx, userid, { limited, left_bytes, bandwidth_mbit, checked_at: clock.now() })
      if (limited !== before.limited || bandwidth_mbit !== before.bandwidth_mbit) {
        for (const id of await listLivingClusterIds(trx, userid)) {
          await publishChange(trx, { account: userid, topic: 'cluster', id })
        }
        await publishChange(trx, { account: userid, topic: 'account', id: userid })
      }
      if (limited !== before.limited) await onTurn(trx, userid)
      return room
    })
  }

  async function ofOwner(userid: string): ReturnType<TrafficLimits['ofOwner']> {
    const kept = await findAllowance(db, userid)
    if (!kept?.limited) return { limitedUntil: undefined, bytesPerSecond: toBytesPerSecond(kept?.bandwidth_mbit) }
    const room = await check(userid)
    return {
      limitedUntil: room?.isLimited ? room.until : undefined,
      bytesPerSecond: toBytesPerSecond(room?.bandwidthMbit),
    }
  }

  return {
    countIn,
    check,
    forget: forgetAllowance,
    forgetAll: () => forgetAllowances(db),
    async count(at, counted) {
      const due = await db.transaction().execute((trx) => countIn(trx, at, counted))
      for (const userid of due) {
        try {
          await check(userid)
        } catch (error) {
          // The bytes are counted already; the allowance stays used up, so the plan is asked at the next traffic.
          log.error({ err: error, account: userid }, 'whether an account is limited could not be asked')
        }
      }
    },
    ofOwner,
  }
}

/** Mbit/s, of 10^6 bits; null or undefined: none is set. */
function toBytesPerSecond(mbit: number | null | undefined): number | undefined {
  return mbit === null || mbit === undefined ? undefined : mbit * 125_000
}
