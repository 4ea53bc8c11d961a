import { expect, it } from 'vitest'
import { faultsOf } from './plain-english.ts'

it.each([
  ['// Whoever asks gets the row.'],
  ['/** The page is drawn anew. */'],
  [' * It goes on by itself.'],
  ['// A file of ours.'],
  ['// It is served no more.'],
  ['/** What the caller sends. */'],
  ['run();\u0020// Who asks is known.'],
  ["test('whoever comes first wins', () => {"],
  [`// ${'long '.repeat(24)}`],
])('refuses %j', (line) => {
  expect(faultsOf('shells.ts', line)).toHaveLength(1)
})

it.each([
  ['// What happens if the file is gone? The default is used.'],
  ['/** The body that the caller sends. */'],
  ["const text = 'Whoever asks'"],
  ['const a = anew'],
  [`*{font-family:${'long,'.repeat(24)}}`],
])('leaves %j', (line) => {
  expect(faultsOf('shells.ts', line)).toEqual([])
})

it('reads documents outside their fenced blocks', () => {
  expect(faultsOf('shells.md', 'Whoever\n```\nwhoever\n```\n')).toEqual([
    "shells.md:1: 'whoever': name the person or the process",
  ])
})
