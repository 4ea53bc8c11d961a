/** Where the chart of sizes has its points: of runs, oldest first, by time. */
import type { Snapshot } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import { bytesAxis, type ValueAxis } from '../../kit/figures/value-axis.ts'

/** px */
export const plot = { left: 58, right: 58, top: 22, height: 190, foot: 166 } as const
const barWidth = 7

export interface SizePlace {
  size: ValueAxis
  /** Of what is new: its highest bar but those of full runs, which would make the others nothing. */
  fresh: ValueAxis
  line: string
  area: string
  bars: { id: string; x: number; y: number; width: number; state: 'Completed' | 'Failed'; isCut: boolean }[]
  proofs: { id: string; x: number; y: number }[]
  /** First and last. */
  days: { x: number; at: number; anchor: 'start' | 'end' }[]
  y: (share: number) => number
}

/** Undefined: two runs at least make a line. `width`: px. */
export function placeSizes(snapshots: readonly Snapshot[], width: number, locale: Locale): SizePlace | undefined {
  const runs = snapshots
    .filter(({ endedAt, state }) => endedAt !== null && state !== 'Canceled')
    .map((run) => ({ ...run, at: Date.parse(run.createdAt) }))
    .sort((a, b) => a.at - b.at)
  const done = runs.filter((run) => run.state === 'Completed' && run.size !== null)
  const [first, last] = [runs[0]?.at, runs.at(-1)?.at]
  if (done.length < 2 || first === undefined || last === undefined || first === last) return undefined
  const most = (values: (number | null)[]) => Math.max(0, ...values.map((value) => value ?? 0))
  const size = bytesAxis(most(done.map((run) => run.size)), 1000, locale)
  const added = done.filter(({ kind }) => kind === 'Incremental')
  const fresh = bytesAxis(most((added.length > 0 ? added : done).map(({ newBytes }) => newBytes)), 1000, locale)
  const y = (share: number) => plot.foot - Math.min(1, share) * (plot.foot - plot.top)
  const inner = Math.max(1, width - plot.left - plot.right - barWidth)
  const x = (at: number) => round(plot.left + barWidth / 2 + ((at - first) / (last - first)) * inner)
  const points = done.map((run) => ({ x: x(run.at), y: round(y((run.size ?? 0) / size.top)), run }))
  const line = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.x} ${point.y}`).join('')
  return {
    size,
    fresh,
    line,
    y,
    area: `${line}L${points.at(-1)?.x} ${plot.foot}L${points[0]?.x} ${plot.foot}Z`,
    bars: runs.map((run) => {
      const isFailed = run.state === 'Failed'
      const share = (run.newBytes ?? 0) / fresh.top
      return {
        id: run.snapshotId,
        x: round(x(run.at) - barWidth / 2),
        width: barWidth,
        // Of a failed run there is nothing to measure; that it was is worth a mark.
        y: isFailed ? plot.foot - 5 : Math.min(plot.foot - 1, round(y(share))),
        state: isFailed ? ('Failed' as const) : ('Completed' as const),
        isCut: share > 1,
      }
    }),
    proofs: points.flatMap(({ run, ...at }) => (run.proof === null ? [] : [{ id: run.snapshotId, ...at }])),
    days: [
      { x: plot.left, at: first, anchor: 'start' },
      { x: width - plot.right, at: last, anchor: 'end' },
    ],
  }
}

const round = (value: number) => Math.round(value * 10) / 10
