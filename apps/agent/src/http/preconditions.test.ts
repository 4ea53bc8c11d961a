import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { outcome } from '../testing/test-drive.ts'
import { isRangeMeant, isUnchanged, readModifiedAt, requireConditions } from './preconditions.ts'

const present = { etag: '"a"', modifiedAt: new Date('2026-11-27T09:00:00.900Z') }
const [before, then, after] = [
  'Fri, 27 Nov 2026 08:59:59 GMT',
  'Fri, 27 Nov 2026 09:00:00 GMT',
  'Fri, 27 Nov 2026 09:00:01 GMT',
]
const inWords = (headers: IncomingHttpHeaders) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' and ') || 'no condition'
const named = <Expected>(rows: [IncomingHttpHeaders, Expected][]) =>
  rows.map(([headers, expected]) => ({ headers, words: inWords(headers), expected }))
const of = (headers: IncomingHttpHeaders) => outcome((async () => requireConditions(headers, present))())

describe('a change of a file', () => {
  test.each(
    named([
      [{}, 'ok'],
      [{ 'if-match': '"a"' }, 'ok'],
      [{ 'if-match': '"x,y", "a"' }, 'ok'],
      [{ 'if-match': ' * ' }, 'ok'],
      [{ 'if-match': 'W/"a"' }, 'changed'],
      [{ 'if-match': '"b"' }, 'changed'],
      [{ 'if-match': 'a' }, 'changed'],
      [{ 'if-match': '' }, 'changed'],
      // A date does not count beside a tag.
      [{ 'if-match': '"a"', 'if-unmodified-since': before }, 'ok'],
      [{ 'if-unmodified-since': before }, 'changed'],
      [{ 'if-unmodified-since': then }, 'ok'],
      [{ 'if-unmodified-since': 'Friday, 27-Nov-26 08:59:59 GMT' }, 'changed'],
      [{ 'if-unmodified-since': 'Fri Nov 27 08:59:59 2026' }, 'changed'],
      [{ 'if-unmodified-since': '2026-11-27' }, 'ok'],
      [{ 'if-none-match': '*' }, 'exists'],
      [{ 'if-none-match': ' *' }, 'exists'],
      [{ 'if-none-match': 'W/"a"' }, 'changed'],
      [{ 'if-none-match': '"b"' }, 'ok'],
      [{ 'if-match': '"a"', 'if-none-match': '*' }, 'exists'],
    ]),
  )('under $words is $expected', async ({ headers, expected }) => {
    expect(await of(headers)).toBe(expected)
  })

  test.each(
    named([
      [{ 'if-match': '*' }, 'changed'],
      [{ 'if-match': '"a"' }, 'changed'],
      [{ 'if-unmodified-since': before }, 'ok'],
      [{ 'if-none-match': '*' }, 'ok'],
    ]),
  )('that is not there, under $words, is $expected', async ({ headers, expected }) => {
    expect(await outcome((async () => requireConditions(headers, undefined))())).toBe(expected)
  })
})

test.each(
  named([
    [{}, false],
    [{ 'if-none-match': 'W/"a"' }, true],
    [{ 'if-none-match': '"b"', 'if-modified-since': after }, false],
    [{ 'if-modified-since': then }, true],
    [{ 'if-modified-since': before }, false],
    [{ 'if-modified-since': 'soon' }, false],
  ]),
)('a reader who asks with $words has the file already: $expected', ({ headers, expected }) => {
  expect(isUnchanged(headers, present)).toBe(expected)
})

test('a range is meant by a strong tag alone', () => {
  expect([undefined, '"a"', 'W/"a"', '"b"', then].map((header) => isRangeMeant(header, present))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test.each(['-1', 'soon', '', '1e9', '253402300800', '0x10'])('%j is no time of a change', (header) => {
  expect(() => readModifiedAt({ 'x-oc-mtime': header })).toThrow('x-oc-mtime')
})
