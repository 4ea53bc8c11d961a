/** Measurements of clusters, as the server answers them: a busy evening, a gap without any, and two workers. */
import { type ClusterMonitor, type MetricsContent, monitorGrid, type Series } from '@atoll/contract/clusters'
import { type AlertPreview, previewMs, previewStepMs } from '@atoll/contract/observe'
import { defaultMonitorRange, monitorRanges } from '@atoll/contract/wire'

const gibibyte = 1024 ** 3
const mebibyte = 1024 ** 2
const usage = { value: 61, unitLabel: 'GB', quota: 100 }

/** A hill about the middle of `share`, 0..1. */
const hill = (share: number, middle: number, width: number) => Math.exp(-(((share - middle) / width) ** 2))
/** Restless between -1 and 1, the same at each call. */
const noise = (at: number) => Math.sin(at * 1.7) * 0.5 + Math.sin(at * 0.61) * 0.3 + Math.sin(at * 4.3) * 0.2

/** The newest readings are of now. `instanceId` leaves out the workers. */
export function sampleMonitor(fields: URLSearchParams, now = Date.now()): ClusterMonitor {
  const range = monitorRanges.find((known) => known === fields.get('range')) ?? defaultMonitorRange
  const { from, stepMs, points } = monitorGrid(range, now)
  const silent = (share: number) => share > 0.5 && share < 0.56
  const series = (value: (at: number, share: number) => number): Series =>
    Array.from({ length: points }, (_, at) => [from + at * stepMs, value(at, at / points)] as [number, number]).filter(
      (_point, at) => !silent(at / points),
    )
  const content = (strength: number): MetricsContent => ({
    cpu: series((at, share) => strength * (0.13 + 0.6 * hill(share, 0.36, 0.03) + 0.04 * noise(at))),
    memory: series((at, share) => Math.round(strength * gibibyte * (4.1 + hill(share, 0.45, 0.2) + 0.1 * noise(at)))),
    disk: series((_at, share) => Math.round(strength * gibibyte * (41 + (share > 0.3 ? 0.8 : 0)))),
    netIn: series((at, share) => Math.round(mebibyte * (2.4 + 6 * hill(share, 0.8, 0.03) + 1.6 * noise(at) + 1.5))),
    netOut: series((at, share) => Math.round(mebibyte * (1.8 + 9 * hill(share, 0.36, 0.02) + noise(at + 7)))),
  })
  return {
    usage: { storage: usage, backup: { ...usage, value: 162.4, quota: 150 }, traffic: { ...usage, value: 12 } },
    metrics: {
      content: content(1),
      workers: fields.has('instanceId') ? null : content(0.35),
      stepMs,
      lastUpdatedAt: new Date(now).toISOString(),
    },
  }
}

/** A disk or memory that filled up in the last 7 days. */
export function sampleAlertPreview(fields: URLSearchParams): AlertPreview {
  const last = Math.floor(Date.now() / previewStepMs) * previewStepMs
  const count = previewMs / previewStepMs
  const points = Array.from({ length: count }, (_, at): [number, number] => [
    last - (count - 1 - at) * previewStepMs,
    Math.round(730 + 180 * (at / count) ** 2 + 6 * noise(at)) / 10,
  ])
  const first = points.find(([, percent]) => percent >= Number(fields.get('threshold')))
  return { times: first ? 1 : 0, lastAt: first ? new Date(first[0]).toISOString() : null, points }
}
