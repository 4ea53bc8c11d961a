import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { samplesMaintenance } from '../jobs/samples-maintain.ts'
import { openSamples } from '../postgres/postgres-samples.ts'
import { sumRises, takeTraffic } from './traffic-marks.ts'

const database = useDatabase()
const begin = Date.now() - 3600_000

async function measure(instanceId: string, second: number, netIn: number, netOut: number): Promise<void> {
  const at = new Date(begin + second * 1000)
  const latest = { at, cpu: 0, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2 }
  const part = { instanceId, at, samples: 1, cpu: 0, cpuMax: 0, memory: 1, memoryMax: 1, disk: 1, netIn, netOut }
  await openSamples(database.db, systemClock).write({ latest: new Map([[instanceId, latest]]), parts: [part] })
}
const take = (...ids: string[]) => database.db.transaction().execute((trx) => takeTraffic(systemClock, trx, ids))

test('every byte is taken once, over restarts of the agent too', async () => {
  const id = 'in_tunnel000000'
  expect(await take(id)).toEqual([])
  await measure(id, 0, 100, 1000)
  await measure(id, 5, 150, 5000)
  expect(await take(id)).toEqual([{ instanceId: id, in: 150, out: 5000 }])
  expect(await take(id)).toEqual([])
  await measure(id, 10, 160, 5000)
  // The agent restarted twice between two takings.
  await measure(id, 15, 7, 30)
  await measure(id, 20, 9, 40)
  await measure(id, 25, 1, 2)
  expect(await take(id)).toEqual([{ instanceId: id, in: 10 + 9 + 1, out: 40 + 2 }])
})

test('two who take at once take it once between them', async () => {
  const id = 'in_tunnel111111'
  await measure(id, 0, 100, 100)
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(id, 'in_tunnel000000')))
  expect(taken.flat().filter(({ instanceId }) => instanceId === id)).toEqual([{ instanceId: id, in: 100, out: 100 }])
})

test('a measurement that just came waits: an older one may still be on its way', async () => {
  const id = 'in_tunnel222222'
  await measure(id, 3600, 100, 100)
  expect(await take(id)).toEqual([])
})

test('a clock that was a day ahead for a while holds nothing up once it is set back, nor is a byte taken twice', async () => {
  const id = 'in_tunnel333333'
  const clock = createTestClock(new Date('2026-06-01T00:00:00Z'))
  const minute = 60_000
  let said = 0
  let taken = 0
  /** Says a hundred bytes each minute, which are taken as the job does. */
  const pass = async (minutes: number) => {
    for (let at = 0; at < minutes; at += 1) {
      clock.advance(minute)
      said += 100
      const figures = { samples: 1, cpu: 0, cpuMax: 0, memory: 1, memoryMax: 1, disk: 1, netIn: said, netOut: 0 }
      const latest = { at: clock.now(), cpu: 0, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2 }
      const parts = [{ instanceId: id, at: clock.now(), ...figures }]
      await openSamples(database.db, clock).write({ latest: new Map([[id, latest]]), parts })
      const found = await database.db.transaction().execute((trx) => takeTraffic(clock, trx, [id]))
      taken += found.reduce((sum, moved) => sum + moved.in, 0)
    }
    await samplesMaintenance({ db: database.db, clock }).run(
      {},
      { log: silentLog, signal: new AbortController().signal, attempt: 1 },
    )
  }
  await pass(5)
  clock.advance(24 * 60 * minute)
  await pass(5)
  clock.advance(-24 * 60 * minute)
  await pass(5)
  // Bytes of the last 90 s are not taken yet.
  expect(said - taken).toBeLessThanOrEqual(200)
  // The time comes that was there too soon.
  clock.advance((24 * 60 - 10) * minute)
  await pass(20)
  expect(said - taken).toBeGreaterThanOrEqual(0)
  expect(said - taken).toBeLessThanOrEqual(200)
})

test('a counter that jumps is believed up to what a link carries', () => {
  const at = (second: number, netIn: number) => ({ at: new Date(begin + second * 1000), netIn, netOut: 0 })
  expect(sumRises(at(0, 0), [at(10, 9e15), at(20, 5), at(30, 9e15)])).toEqual({ in: 2 * 125e9 + 5, out: 0 })
})
