import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more than its width run at a time, in the order they came, whatever fails', async () => {
  const inTurn = createTurns(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const runs = ends.map(({ promise }, at) =>
    inTurn(async () => {
      begun.push(at)
      await promise
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await expect(runs[1]).rejects.toThrow('failed')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await Promise.allSettled(runs)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
