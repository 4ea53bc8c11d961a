import { expect, test } from 'vitest'
import { readOpened } from './use-opened-lines.ts'

test.each([
  ['line-3', [3]],
  ['line-3,12', [3, 12]],
  ['', []],
  ['line-', []],
  ['line-3,', []],
  ['line-x', []],
  ['records', []],
])('the lines that %j names are open', (hash, lines) => expect(readOpened(hash)).toEqual(lines))
