import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type GuardedRun, guardRun } from './guard.ts'

/** A tree as its owner and restic see it; `newBytes` of a run are what was written since, and words about each file. */
const run = (files: number, bytes: number, written: number, touched: number): GuardedRun => ({
  files: Math.round(files),
  bytes: Math.round(bytes),
  newBytes: Math.round(written + touched * 400),
})
const tree = fc.record({ files: fc.integer({ min: 40, max: 100_000 }), each: fc.integer({ min: 5000, max: 5e6 }) })

/** Growth, imports that dwarf what was there, edits, a little tidied up each day, and now and then more of it. */
const day = fc.record({
  grown: fc.oneof(
    { weight: 30, arbitrary: fc.double({ min: 0, max: 0.03, noNaN: true }) },
    fc.double({ min: 0, max: 9, noNaN: true }),
  ),
  edited: fc.double({ min: 0, max: 0.25, noNaN: true }),
  removed: fc.double({ min: 0, max: 0.03, noNaN: true }),
})

test('a normal year fires none', () => {
  fc.assert(
    fc.property(tree, fc.array(day, { minLength: 365, maxLength: 365 }), ({ files, each }, days) => {
      let at = { files, bytes: files * each }
      const before = [run(at.files, at.bytes, at.bytes, at.files)]
      days.forEach(({ grown, edited, removed }, index) => {
        // Once a month a folder goes.
        const left = 1 - (index % 30 === 7 ? 0.14 : removed)
        const kept = { files: at.files * left, bytes: at.bytes * left }
        at = { files: Math.min(1e7, kept.files * (1 + grown)), bytes: Math.min(1e13, kept.bytes * (1 + grown)) }
        const written = Math.max(0, at.bytes - kept.bytes) + kept.bytes * edited
        const now = run(at.files, at.bytes, written, at.files)
        expect(guardRun(now, before)).toBeNull()
        before.unshift(now)
      })
    }),
    { numRuns: 60 },
  )
})

test('70 % of a tree that is encrypted fires on the next run, whether names stay, and whatever grew meanwhile', () => {
  const more = fc.double({ min: 0, max: 3, noNaN: true })
  fc.assert(
    fc.property(tree, more, ({ files, each }, grown) => {
      const bytes = files * each
      const before = [run(files, bytes, 0, 0)]
      const after = run(files * (1 + grown), bytes * (1 + grown), bytes * (0.7 + grown), files * (0.7 + grown))
      expect(guardRun(after, before)?.kind).toBe('rewrite')
    }),
  )
})

test('a third that is gone fires at once or over five runs, by bytes or by files; of a handful of files nothing does', () => {
  const full = run(3000, 3e9, 0, 0)
  expect(guardRun(run(2000, 2.9e9, 0, 0), [full])).toEqual({ kind: 'shrink', share: 1 / 3 })
  expect(guardRun(run(2990, 2e9, 0, 0), [full])).toEqual({ kind: 'shrink', share: 1 / 3 })
  const fading = [run(2300, 2.3e9, 0, 0), run(2500, 2.5e9, 0, 0), run(2700, 2.7e9, 0, 0), full]
  expect(guardRun(run(2100, 2.1e9, 0, 0), fading)).toMatchObject({ kind: 'shrink' })
  expect(guardRun(run(2101, 2.101e9, 0, 0), fading)).toBeNull()
  expect(
    guardRun(run(2100, 2.1e9, 0, 0), [...fading.slice(0, 3), run(2700, 2.7e9, 0, 0), run(2700, 2.7e9, 0, 0), full]),
  ).toBeNull()
  expect(guardRun(run(0, 0, 0, 0), [run(3, 60_000, 0, 0)])).toBeNull()
  expect(guardRun(run(3, 3e9, 3e9, 3), [])).toBeNull()
})
