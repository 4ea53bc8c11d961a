import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const none = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, secondsLeft: null }

/** A run at an even pace: what is said after each second. */
function runEvenly(perSecond: number, seconds: number, total: number) {
  let time = 5000
  const pace = createPace(() => time)
  return Array.from({ length: seconds + 1 }, (_, second) => {
    time = 5000 + second * 1000
    return pace({ ...none, bytesDone: Math.min(total, second * perSecond), bytesTotal: total })
  })
}

test('an even pace is reported as it is, and with it the time left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 2, max: 200 }), (perSecond, seconds) => {
      const total = perSecond * seconds
      const [first, ...others] = runEvenly(perSecond, seconds, total)
      expect(first).toMatchObject({ bytesPerSecond: null, secondsLeft: null })
      for (const [at, said] of others.entries()) {
        expect(said).toMatchObject({ bytesPerSecond: perSecond, secondsLeft: seconds - at - 1 })
      }
    }),
  )
})

test('what restic says of the time left goes before', () => {
  expect(createPace(() => 0)({ ...none, bytesTotal: 10, secondsLeft: 7 }).secondsLeft).toBe(7)
})

test('where no bytes are counted, the time left follows from files; another count starts over', () => {
  let time = 0
  const pace = createPace(() => time)
  pace({ ...none, filesTotal: 100 })
  time = 10_000
  expect(pace({ ...none, filesDone: 20, filesTotal: 100 })).toMatchObject({ secondsLeft: 40, bytesPerSecond: null })
  time = 11_000
  expect(pace({ ...none, filesDone: 1, filesTotal: 8 }).secondsLeft).toBeNull()
})

test('what stands still says nothing of its end, and a pace of long ago is forgotten', () => {
  let time = 0
  const pace = createPace(() => time)
  pace({ ...none, bytesTotal: 1000 })
  time = 10_000
  expect(pace({ ...none, bytesDone: 500, bytesTotal: 1000 }).secondsLeft).toBe(10)
  for (time = 11_000; time <= 40_000; time += 1000) pace({ ...none, bytesDone: 500, bytesTotal: 1000 })
  expect(pace({ ...none, bytesDone: 500, bytesTotal: 1000 })).toMatchObject({ secondsLeft: null, bytesPerSecond: null })
})
