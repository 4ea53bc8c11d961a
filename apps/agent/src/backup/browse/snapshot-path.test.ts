import { expect, test } from 'vitest'
import { formatSnapshotPath, parseSnapshotPath, patternOf } from './snapshot-path.ts'

test.each(['/', '/a', '/a b/c\\d', '/new\nline', '/..a/...', '/潮'])(
  '%j is a path, and is written as it was',
  (path) => {
    expect(formatSnapshotPath(parseSnapshotPath(path))).toBe(path)
  },
)

test.each(['', 'a', '//', '/a/', '/a//b', '/.', '/a/..', '/a\0', '/\ud800', `/${'a'.repeat(4096)}`])(
  '%j is none',
  (path) => {
    expect(() => parseSnapshotPath(path)).toThrow('no path')
  },
)

test('no character of a name is a wildcard of its pattern', () => {
  expect(patternOf(['a*', 'b[1]?', 'c\\d']).toString()).toBe('/a\\*/b\\[1\\]\\?/c\\\\d')
})
