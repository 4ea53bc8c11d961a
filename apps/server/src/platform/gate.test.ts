import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

test('so many run at a time, in the order in which they came, whether or not those before them failed', async () => {
  const gate = createGate(2)
  const begun: number[] = []
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const works = ends.map(({ promise }, at) =>
    gate(async () => {
      begun.push(at)
      await promise
      return at
    }),
  )
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('no'))
  await expect(works[1]).rejects.toThrow('no')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  expect(await Promise.all(works.filter((_, at) => at !== 1))).toEqual([0, 2, 3, 4])
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await gate(async () => 'again')).toBe('again')
})
