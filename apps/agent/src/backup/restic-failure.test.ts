import { expect, test } from 'vitest'
import { isCount, isOfTheWay, readFailure } from './restic-failure.ts'

/** Lines that the two versions said, shortened. */
const refused = 'dial tcp 127.0.0.1:4803: connect: connection refused'
const away = [
  `pack 01ccd0f3a530ac8a failed to download: StreamPack: client.Do: Get "http://127.0.0.1:4803/r/data/01cc": ${refused}`,
  'Fatal: repository contains errors',
]
const retries = [
  `Load(<data/3c3e63dbfa>, 17216812, 0) returned error, retrying after 20.447630648s: client.Do: Get "http://x": ${refused}`,
  'Load(<data/d642fde2ae>, 17111015, 0) returned error, retrying after 1.289756406s: readFull: unexpected EOF',
  'Load(<data/d642fde2ae>, 17111015, 0) operation successful after 1 retries',
]
const failureOf = (lines: string[]) => readFailure(1, lines, (text) => text).failure

test.each([
  ['packs that a vault which is away did not give', away, 'unreachable'],
  [
    'files that 0.18 asks no more for',
    [
      ...Array<string>(29).fill(
        'ignoring error for /f17: ReadFull(<data/d642fde2ae>): circuit breaker open for file <data/d642fde2ae>',
      ),
      'Fatal: There were 61 errors',
    ],
    'unreachable',
  ],
  ['a changed pack', ['pack 01cc: ciphertext verification failed', 'Fatal: repository contains errors'], 'damaged'],
  ['a changed pack and a vault that went away', ['pack 01cc: ciphertext verification failed', ...away], 'damaged'],
  [
    'a full quota',
    ['Fatal: unable to save snapshot: server response unexpected: 507 Insufficient Storage (507)'],
    'quota',
  ],
  ['a vault that errs', ['Fatal: List failed, server response: 500 Internal Server Error (500)'], 'unreachable'],
  ['a file whose name is a number', ['error: open /drive/507: no such file', 'Fatal: unable to save'], 'failed'],
])('%s is classified', (_, lines, failure) => {
  expect(failureOf(lines)).toBe(failure)
})

test('retries and counts are no failures', () => {
  expect(retries.map(isOfTheWay)).toEqual([true, true, true])
  expect(away.map(isOfTheWay)).toEqual([false, false])
  expect(
    ['[0:30] 50.00%  507 / 1014 packs', '[15:02] 0.00%  0 files/dirs 0 B, total 61', away[0] ?? ''].map(isCount),
  ).toEqual([true, true, false])
})
