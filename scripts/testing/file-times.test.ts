import { expect, it } from 'vitest'
import { reportFailed, reportRetried, reportSlowest } from './file-times.ts'

const times = [
  { file: 'quick.test.ts', seconds: 0.04, retried: [], failed: [] },
  { file: 'slow.test.ts', seconds: 101.26, retried: ['opens'], failed: [{ name: 'closes', message: 'no' }] },
  { file: 'middling.test.ts', seconds: 2, retried: [], failed: [] },
]

it('names the slowest files, slowest first', () => {
  expect(reportSlowest(times, 2)).toBe(
    ['The slowest 2 of 3 files (103 s):', '  101.3 s  slow.test.ts', '    2.0 s  middling.test.ts'].join('\n'),
  )
})

it('names what passed at the second try only, and says nothing when nothing did', () => {
  expect(reportRetried(times)).toBe('Passed at the second try only (1):\n  slow.test.ts > opens')
  expect(reportRetried(times.slice(0, 1))).toBe('')
})

it('names what failed and what it said, and says nothing when nothing did', () => {
  expect(reportFailed(times)).toBe('Failed (1):\n  slow.test.ts > closes\n    no')
  expect(reportFailed(times.slice(0, 1))).toBe('')
})
