/** The table that held a row every 5 s, as the migration turns it into tiers: no chart has a hole for it. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { databaseBefore } from '../../../platform/db/testing/database-before.ts'
import { openSamples } from './postgres-samples.ts'

const everyMs = 20_000
const hour = 3600_000

test('charts of old measurements are whole after the migration', async () => {
  await using old = await databaseBefore('0076')
  const { pool, db } = old
  const now = Date.now()
  const newest = Math.floor(now / everyMs) * everyMs
  const oldest = newest - 170 * hour
  // cpu identifies the sample; the counters fall regularly, as after restarts of the agent.
  await pool.query(
    `insert into agent_metrics
     select 'in_old', to_timestamp(ms / 1000.0), (n % 100) / 100.0, n, 100, n, 100, n % 180 * 100, n % 180 * 10
     from generate_series(0, ($2::bigint - $1::bigint) / $3) as n, lateral (select $1::bigint + n * $3 as ms) as t`,
    [oldest, newest, everyMs],
  )
  await old.migrate()
  const samples = openSamples(db, systemClock)
  expect((await samples.latest(['in_old'])).get('in_old')).toMatchObject({ at: new Date(newest), memoryTotal: 100 })
  for (const [hours, minutes] of [
    [12, 3],
    [24, 5],
    [72, 15],
    [168, 40],
  ] as const) {
    const stepMs = minutes * 60_000
    const to = Math.floor(newest / stepMs) * stepMs + stepMs
    const from = to - hours * hour
    const { cpu, memory, netIn } =
      (await samples.series(['in_old'], ['cpu', 'memory', 'netIn'], { from, to, stepMs })).get('in_old') ?? {}
    const times = Array.from({ length: (hours * 60) / minutes }, (_, at) => from + at * stepMs)
    expect(memory?.map(([t]) => t)).toEqual(times)
    expect(netIn?.map(([t]) => t)).toEqual(times)
    for (const [at, step] of times.entries()) {
      const raw: number[] = []
      for (let ms = step; ms < step + stepMs && ms <= newest; ms += everyMs) raw.push((ms - oldest) / everyMs)
      const mean = raw.reduce((sum, n) => sum + n, 0) / raw.length
      expect(Math.abs((memory?.[at]?.[1] ?? -1) - mean)).toBeLessThanOrEqual(2)
      expect(cpu?.[at]?.[1]).toBeCloseTo(raw.reduce((sum, n) => sum + (n % 100) / 100, 0) / raw.length, 5)
    }
  }
})
