/** When a rule would have fired on past measurements: runs the same state machine over them. */
import type { AlertPreview } from '@atoll/contract/observe'
import { previewMs, previewStepMs } from '@atoll/contract/observe'
import type { Clock } from '../../../platform/clock.ts'
import type { SampleStore, Series } from '../samples/sample-store.ts'
import { type AlertRule, decideAlert, firstAlertState } from './alert-state.ts'

const minuteMs = 60_000
/** Finer than this nothing is kept for a week. ms */
const sampleStepMs = 5 * minuteMs

/** When `rule` would have fired: shares, 0..1, each standing for the minutes of its step. */
export function whenFired(rule: AlertRule, shares: Series): number[] {
  const fired: number[] = []
  let state = firstAlertState(new Date(shares[0]?.[0] ?? 0))
  for (const [from, share] of shares) {
    // A step without a sample is left out, so the next evaluation follows a gap and a pending rule starts over.
    for (let at = from; at < from + sampleStepMs; at += minuteMs) {
      const { after, event } = decideAlert(rule, state, share, new Date(at))
      state = after
      if (event === 'fired') fired.push(at)
    }
  }
  return fired
}

/** Of the last 7 days of these instances. Sizes are those of now. */
export async function previewRule(
  { samples, clock }: { samples: SampleStore; clock: Clock },
  instanceIds: readonly string[],
  metric: 'disk' | 'memory',
  rule: AlertRule,
): Promise<AlertPreview> {
  const to = (Math.floor(clock.now().getTime() / previewStepMs) + 1) * previewStepMs
  const [series, latest] = await Promise.all([
    samples.series(instanceIds, [metric], { from: to - previewMs, to, stepMs: sampleStepMs }),
    samples.latest(instanceIds),
  ])
  const highest = new Map<number, number>()
  const fired: number[] = []
  for (const id of instanceIds) {
    const total = latest.get(id)?.[metric === 'disk' ? 'diskTotal' : 'memoryTotal'] ?? 0
    if (total <= 0) continue
    const shares = (series.get(id)?.[metric] ?? []).map(([at, value]): [number, number] => [at, value / total])
    for (const [at, share] of shares) {
      const step = Math.floor(at / previewStepMs) * previewStepMs
      highest.set(step, Math.max(highest.get(step) ?? 0, share))
    }
    fired.push(...whenFired(rule, shares))
  }
  return {
    times: fired.length,
    lastAt: fired.length > 0 ? new Date(Math.max(...fired)).toISOString() : null,
    points: [...highest].toSorted(([a], [b]) => a - b).map(([at, share]) => [at, Math.round(share * 1000) / 10]),
  }
}
