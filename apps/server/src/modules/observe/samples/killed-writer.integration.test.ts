import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'

const database = useDatabase()
const program = join(import.meta.dirname, 'crashing-writer.fixture.ts')

test('an api process that is killed has lost a minute of samples at most, each time, and none is there twice', async () => {
  let begin = Date.parse('2026-06-01T00:00:00Z')
  for (const lines of [3, 40, 97]) {
    const crashing = spawn(process.execPath, [program, database.url, new Date(begin).toISOString()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void crashing.kill('SIGKILL'))
    const ended = once(crashing, 'exit')
    let [seen, writtenAt] = [0, begin]
    for await (const line of createInterface(crashing.stdout)) {
      writtenAt = Date.parse(line)
      seen += 1
      if (seen === lines) crashing.kill('SIGKILL')
    }
    await ended
    expect(seen).toBeGreaterThanOrEqual(lines)
    // Each agent counts what it said: the counter of the newest row is how many there must be.
    const { rows } = await database.pool.query<{ samples: number; said: number; newest: Date }>(
      `select coalesce(sum(samples), 0)::int as samples, coalesce(max(net_in), 0)::int as said, max(at) as newest
        from sample_series left join minute_samples using (series) where coalesce(at, $1) >= $1
        group by instance_id`,
      [new Date(begin)],
    )
    expect(rows).toHaveLength(3)
    for (const { samples, said, newest } of rows) {
      expect(samples).toBe(said)
      expect(writtenAt - (newest?.getTime() ?? begin)).toBeLessThanOrEqual(60_000)
    }
    begin = writtenAt + 3_600_000
  }
})
