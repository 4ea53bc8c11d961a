import { expect, test } from 'vitest'
import { parseLogLine } from './log-line.ts'

test.each([
  [
    '14:27:41 drive  migrating schema',
    { time: '14:27:41', source: 'drive', message: 'migrating schema', tone: 'plain' },
  ],
  ['14:27:46 cache ready', { time: '14:27:46', source: 'cache', message: 'ready', tone: 'good' }],
  [
    '14:27:38 mail waiting for drive (retry 1 of 5)',
    { time: '14:27:38', source: 'mail', message: 'waiting for drive (retry 1 of 5)', tone: 'warn' },
  ],
  ['14:27:38 mail failed, not ready', { time: '14:27:38', source: 'mail', message: 'failed, not ready', tone: 'bad' }],
  ['no shape at all', { time: '', source: '', message: 'no shape at all', tone: 'plain' }],
  ['', { time: '', source: '', message: '', tone: 'plain' }],
])('the line %j is shown as %j', (line, view) => {
  expect(parseLogLine(line)).toEqual(view)
})
