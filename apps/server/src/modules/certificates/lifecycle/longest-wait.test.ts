import { expect, test } from 'vitest'
import { longestWait } from './longest-wait.ts'

const now = new Date('2027-03-01T00:00:00Z')
const minute = 60_000
const hours = (count: number) => new Date(now.getTime() + count * 60 * minute)
const usualMs = 12 * 60 * minute

test.each([
  ['a record that forbids it, as long as it is news', 'pause', 'caaForbids', null, hours(-23), minute],
  ['one that was left for a day', 'pause', 'caaForbids', null, hours(-25), 10 * minute],
  ['one that the authority saw, which cost an order', 'fail', 'caaForbids', null, hours(-1), 60 * minute],
  ['visitors who wait', 'fail', 'challengeFailed', null, null, 60 * minute],
  ['a certificate that is served meanwhile', 'fail', 'challengeFailed', hours(1), null, usualMs],
] as const)('%s', (_, kind, problem, not_after, problem_since, expected) => {
  expect(longestWait({ not_after, problem_since }, { kind, problem }, { now, usualMs })).toBe(expected)
})
