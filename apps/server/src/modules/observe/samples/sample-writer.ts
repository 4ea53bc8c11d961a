/**
 * Samples on their way to the store, one writer a process. The newest of each instance is written at most every 15 s,
 * parts of minutes when they are over; both once a second in one batch. A process that is killed loses at most the
 * minute under way; one that stops writes what it has.
 */
import type { AgentMetrics } from '@atoll/contract/agents'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import { addSample, closePart, isOver, type OpenPart, openPart, type Sample, takesSample } from './sample-part.ts'
import type { LatestSample, SamplePart, SampleStore } from './sample-store.ts'

const writeEveryMs = 1000
const latestEveryMs = 15_000
/** Of the parts that are written in one statement. */
const batchParts = 5000
/** While the database is away older parts go first: half an hour of 8000 instances, some 50 MB. */
const maxWaiting = 250_000

export interface SampleWriter {
  add(instanceId: string, metrics: AgentMetrics): void
  /** Writes what is due; `all`: whatever it has. */
  write(all?: boolean): Promise<void>
  /** Writes all it has, and nothing any more. */
  stop(): Promise<void>
}

export interface SampleWriterDeps {
  store: Pick<SampleStore, 'write'>
  clock: Clock
  log: Log
  /** Told each second of the instances whose newest sample was written in it, maybe none. */
  onMeasured(instanceIds: readonly string[]): Promise<void>
}

export function createSampleWriter({ store, clock, log, onMeasured }: SampleWriterDeps): SampleWriter {
  const open = new Map<string, OpenPart>()
  let closed: SamplePart[] = []
  /** Not written yet. */
  const newest = new Map<string, LatestSample>()
  /** When the newest of an instance was written last, ms. */
  const writtenAt = new Map<string, number>()

  function close(instanceId: string, part: OpenPart): void {
    open.delete(instanceId)
    closed.push(closePart(instanceId, part))
    if (closed.length > maxWaiting) closed = closed.slice(-maxWaiting)
  }

  function takeDue(now: number, all: boolean): Map<string, LatestSample> {
    for (const [instanceId, part] of open) if (all || isOver(part, now)) close(instanceId, part)
    for (const [instanceId, at] of writtenAt) if (Math.abs(now - at) >= latestEveryMs) writtenAt.delete(instanceId)
    return new Map([...newest].filter(([instanceId]) => all || !writtenAt.has(instanceId)))
  }

  async function write(all = false): Promise<void> {
    const now = clock.now().getTime()
    const latest = takeDue(now, all)
    if (latest.size > 0 || closed.length > 0) {
      const parts = closed.slice(0, batchParts)
      await store.write({ latest, parts })
      const written = new Set(parts)
      closed = closed.filter((part) => !written.has(part))
    }
    for (const [instanceId, sample] of latest) {
      writtenAt.set(instanceId, now)
      if (newest.get(instanceId) === sample) newest.delete(instanceId)
    }
    await onMeasured([...latest.keys()])
    if (closed.length > 0) await write(all)
  }

  const ticker = startTicker(writeEveryMs, log, 'writing samples', () => write())
  return {
    add(instanceId, metrics) {
      const at = clock.now()
      const sample: Sample = {
        at: at.getTime(),
        cpu: toShare(metrics.cpu),
        memory: toBytes(metrics.memoryUsed),
        disk: toBytes(metrics.diskUsed),
        netIn: toBytes(metrics.netIn),
        netOut: toBytes(metrics.netOut),
      }
      newest.set(instanceId, {
        at,
        cpu: sample.cpu,
        memoryUsed: sample.memory,
        memoryTotal: toBytes(metrics.memoryTotal),
        diskUsed: sample.disk,
        diskTotal: toBytes(metrics.diskTotal),
      })
      const part = open.get(instanceId)
      if (part && takesSample(part, sample)) return addSample(part, sample)
      if (part) close(instanceId, part)
      open.set(instanceId, openPart(sample))
    },
    write,
    async stop() {
      await ticker.stop()
      await write(true).catch((error: unknown) => log.error({ err: error }, 'the last samples were not written'))
    },
  }
}

/** 0 to 1 in steps that a real column holds: it refuses a number as small as 1e-300, and with it the batch. */
function toShare(value: number): number {
  return Math.round(Math.min(value, 1) * 1e6) / 1e6
}

/** A whole number that a bigint column and a number hold: one absurd figure must not spoil the batch of all agents. */
function toBytes(value: number): number {
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER)
}
