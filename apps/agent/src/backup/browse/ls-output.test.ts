import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLsLine } from './ls-output.ts'

const node = { struct_type: 'node', name: 'a', path: '/b/a', mtime: '2026-11-23T16:18:12.992915442Z' }

test.each([
  ['file', 'file', 7],
  ['dir', 'folder', 0],
  ['symlink', 'link', 0],
  ['fifo', 'other', 0],
])('a %s is read as a %s', (type, kind, size) => {
  const modifiedAt = Date.parse('2026-11-23T16:18:12.992Z')
  const line = JSON.stringify({ ...node, type, size: 7 })
  expect(readLsLine(line)).toEqual({ line: 'entry', path: '/b/a', entry: { name: 'a', kind, size, modifiedAt } })
})

test('a file of 0.14 that is empty, or whose time is none, is one all the same', () => {
  const line = JSON.stringify({ ...node, type: 'file', mtime: 'never' })
  expect(readLsLine(line)).toMatchObject({ entry: { size: 0, modifiedAt: 0 } })
})

test('the snapshot is recognized, with or without a type of message', () => {
  expect(readLsLine('{"struct_type":"snapshot","id":"1"}')).toEqual({ line: 'snapshot' })
  expect(readLsLine('{"message_type":"snapshot","struct_type":"snapshot"}')).toEqual({ line: 'snapshot' })
})

test('any other line is nothing', () => {
  for (const line of [
    '',
    'Ignoring "1": no matching ID found',
    '{"struct_type":"else"}',
    '{',
    '{"struct_type":"node"}',
  ])
    expect(readLsLine(line)).toBeUndefined()
})

test('any name comes through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const said = readLsLine(JSON.stringify({ ...node, name, path: `/${name}`, type: 'file' }))
      expect(said).toMatchObject({ path: `/${name}`, entry: { name } })
    }),
  )
})
