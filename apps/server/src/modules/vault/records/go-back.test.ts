import { expect, test } from 'vitest'
import { wasLiveBefore } from './go-back.ts'

const later = new Set(['thief', 'after'])
test.each([
  ['stored before', [{ storedBy: null, takenBy: null }], true],
  ['stored before, taken since', [{ storedBy: 'before', takenBy: 'thief' }], true],
  ['stored before, taken before', [{ storedBy: 'first', takenBy: 'before' }], false],
  ['stored since', [{ storedBy: 'thief', takenBy: null }], false],
  [
    'taken before, stored again since',
    [
      { storedBy: 'first', takenBy: 'before' },
      { storedBy: 'thief', takenBy: null },
    ],
    false,
  ],
  [
    'taken and stored again since',
    [
      { storedBy: 'first', takenBy: 'thief' },
      { storedBy: 'after', takenBy: 'after' },
    ],
    true,
  ],
] as const)('a file %s', (_, hands, wasLive) => {
  expect(wasLiveBefore(hands, later)).toBe(wasLive)
})
