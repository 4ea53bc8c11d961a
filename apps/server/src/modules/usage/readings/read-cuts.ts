/**
 * Readings of a span divided by day or hour. They sum exactly to the reading of the whole span: the running total is
 * rounded, and each piece is the difference of two of its values.
 */
import { divideHalfEven } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { CutSpan, UsedPiece } from '../../billing/index.ts'
import { sumHeld } from './held-levels.ts'
import { bytesPerMicro, isCharged, levelDivisor, listFlowed, listLevels, type Span } from './reading-rows.ts'

interface Piece {
  cut: number
  clusterId: string
  /** Of a flow bytes; of what is held bytes times ms. */
  amount: bigint
}

export async function readCuts(clock: Clock, db: Db, { cuts, ...of }: CutSpan): Promise<UsedPiece[]> {
  const [from, to] = [cuts[0], cuts.at(-1)]
  if (!from || !to || from >= to) return []
  const isFlow = of.productType === 'cloud_traffic' || of.productType === 'cdn_traffic'
  const span = { ...of, from, to }
  const pieces = isFlow
    ? flowPieces((await listFlowed(db, span)).filter(isCharged), cuts)
    : await heldPieces(clock, db, span, cuts)
  const divisor = isFlow ? bytesPerMicro : levelDivisor(span)
  pieces.sort((a, b) => a.cut - b.cut || (a.clusterId < b.clusterId ? -1 : 1))
  let [sum, told] = [0n, 0n]
  return pieces.map(({ cut, clusterId, amount }): UsedPiece => {
    sum += amount
    const used = divideHalfEven(sum, divisor) - told
    told += used
    return { cut, clusterId, used }
  })
}

/** Bytes of the readings that begin within each cut, corrections with what they correct. */
function flowPieces(rows: readonly { at: Date; cluster_id: string; bytes: string }[], cuts: readonly Date[]): Piece[] {
  const pieces = new Map<string, Piece>()
  for (const { at, cluster_id: clusterId, bytes } of rows) {
    const cut = cutOf(at, cuts)
    const piece = pieces.get(`${cut} ${clusterId}`) ?? { cut, clusterId, amount: 0n }
    piece.amount += BigInt(bytes)
    pieces.set(`${cut} ${clusterId}`, piece)
  }
  return [...pieces.values()]
}

/** The last cut that begins by then: of several at one moment the one that has any length. */
function cutOf(at: Date, cuts: readonly Date[]): number {
  let [low, high] = [0, cuts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((cuts[middle] as Date) <= at)
      low = middle // between two that there are
    else high = middle
  }
  return low
}

async function heldPieces(clock: Clock, db: Db, span: Span, cuts: readonly Date[]): Promise<Piece[]> {
  const levels = (await listLevels(db, span)).levels
  const now = clock.now()
  return cuts.slice(0, -1).flatMap((start, cut) => {
    const end = Math.min((cuts[cut + 1] ?? start).getTime(), now.getTime())
    return [...sumHeld(levels, start.getTime(), end)].map(([clusterId, amount]) => ({ cut, clusterId, amount }))
  })
}
