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
  ['a changed config', ['Fatal: config or key 55bfc7967999f8c6 is damaged: ciphertext verification failed'], 'damaged'],
  ['a changed key, by 0.18', ['Fatal: LoadRaw(<key/1f43b19875>): invalid data returned'], 'damaged'],
  ['a changed key, by 0.14', ["Fatal: Unmarshal: invalid character ':' after object key:value pair"], 'damaged'],
  [
    'a pack that is cut short, by 0.14',
    [
      'ignoring error for /big: StreamPack: unexpected HTTP response (416): 416 Range Not Satisfiable',
      'Fatal: There were 1 errors',
    ],
    'damaged',
  ],
  [
    'a pack that is cut short, by 0.18',
    [
      '{"message_type":"error","error":{"message":"ReadFull(<data/7abef972bb>): unexpected HTTP response (416): partial out of bounds read"},"during":"restore","item":"/big"}',
      '{"message_type":"exit_error","code":1,"message":"Fatal: There were 1 errors\n"}',
    ],
    'damaged',
  ],
  [
    'a changed list of a folder, over which stats of 0.18 crashes',
    [
      'panic: runtime error: invalid memory address or nil pointer dereference',
      'github.com/restic/restic/internal/walker.walk({0x1143910, 0xc00017e1e0}, {0x1139520, 0xc000384f70})',
      'github.com/restic/restic/cmd/restic/main.go:172 +0x267',
    ],
    'damaged',
  ],
  [
    'a list of a folder that a vault which is away did not give, over which stats of 0.18 crashes',
    [
      `Load(<data/3c3e63dbfa>, 0, 0) returned error, retrying after 1s: ${refused}`,
      'restic/internal/walker.walk({0x1})',
    ],
    'unreachable',
  ],
  ['a changed index, by 0.14', ['Fatal: load <index/84f12bb6a1>: invalid data returned'], 'damaged'],
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

test.each([
  [
    '0.14',
    ['load indexes', 'error: error loading index 6806c5da8fc0202537077527ae186e3f: ciphertext verification failed'],
    'Fatal: LoadIndex returned errors',
  ],
  [
    '0.18',
    ['error: error loading index 6806c5da8fc0202537077527ae186e3f: ciphertext verification failed', ''],
    'Fatal: repository contains errors',
  ],
])('the stored file that %s complains of is in the words', (_, lines, fatal) => {
  const { message, failure } = readFailure(1, [...lines, fatal], (text) => text)
  expect([failure, message]).toEqual(['damaged', expect.stringContaining('index 6806c5da8fc0202537077527ae186e3f')])
})

test('retries and counts are no failures', () => {
  expect(retries.map(isOfTheWay)).toEqual([true, true, true])
  expect(away.map(isOfTheWay)).toEqual([false, false])
  expect(
    ['[0:30] 50.00%  507 / 1014 packs', '[15:02] 0.00%  0 files/dirs 0 B, total 61', away[0] ?? ''].map(isCount),
  ).toEqual([true, true, false])
})
