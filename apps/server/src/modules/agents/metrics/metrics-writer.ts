/**
 * Measurements on their way to the database: gathered and written together once a second, so that a thousand agents
 * cost one statement. A killed process loses at most the last second; the next measurement is 5 s away anyway.
 */
import type { AgentMetrics } from '@atoll/contract/agents'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import type { AgentMetricsRow } from '../agents-tables.ts'
import { insertMetrics } from './metrics-store.ts'

const writeEveryMs = 1000
/** PostgreSQL takes 65 535 parameters a statement, nine a row. */
const batchRows = 5000
/** While the database is away, older measurements go first. */
const maxWaiting = 50_000

export interface MetricsWriter {
  add(instanceId: string, metrics: AgentMetrics): void
  /** Writes what waits. */
  stop(): Promise<void>
}

export interface MetricsWriterDeps {
  db: Db
  clock: Clock
  log: Log
  /** Told each second whose measurements were written in it, maybe none. */
  onMeasured(instanceIds: readonly string[]): Promise<void>
}

export function createMetricsWriter({ db, clock, log, onMeasured }: MetricsWriterDeps): MetricsWriter {
  let waiting: AgentMetricsRow[] = []

  async function write(): Promise<string[]> {
    const written = new Set<string>()
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchRows)
      await insertMetrics(db, batch)
      waiting = waiting.slice(batch.length)
      for (const row of batch) written.add(row.instance_id)
    }
    return [...written]
  }

  const ticker = startTicker(writeEveryMs, log, 'writing measurements', async () => onMeasured(await write()))
  return {
    add(instanceId, metrics) {
      waiting.push({
        instance_id: instanceId,
        at: clock.now(),
        cpu: toShare(metrics.cpu),
        memory_used: toBytes(metrics.memoryUsed),
        memory_total: toBytes(metrics.memoryTotal),
        disk_used: toBytes(metrics.diskUsed),
        disk_total: toBytes(metrics.diskTotal),
        net_in: toBytes(metrics.netIn),
        net_out: toBytes(metrics.netOut),
      })
      if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting)
    },
    async stop() {
      await ticker.stop()
      await write().catch((error: unknown) => log.error({ err: error }, 'the last measurements were not written'))
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
