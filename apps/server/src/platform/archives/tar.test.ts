import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { tarOf } from './tar.ts'

test('another program reads the files of an archive, whatever their length', () => {
  const lengths = [0, 1, 511, 512, 513, 70_000]
  const files = lengths.map((length) => ({ name: `folder/${length}.bin`, bytes: randomBytes(length) }))
  const archive = tarOf(files.map((file) => ({ ...file, isExecutable: file.bytes.length === 1 })))
  const tar = (...args: string[]) => execFileSync('tar', args, { input: archive })
  const listed = tar('-tvf', '-').toString().trim().split('\n')
  expect(listed.map((line) => line.split(/ +/)).map(([mode, , size]) => [mode, Number(size)])).toEqual(
    lengths.map((length) => [length === 1 ? '-rwxr-xr-x' : '-rw-r--r--', length]),
  )
  for (const { name, bytes } of files) expect(tar('-xOf', '-', name).equals(bytes)).toBe(true)
})

test('the same files give the same bytes', () => {
  const files = [{ name: 'a', bytes: Buffer.from('one') }]
  expect(tarOf(files).equals(tarOf(files))).toBe(true)
})
