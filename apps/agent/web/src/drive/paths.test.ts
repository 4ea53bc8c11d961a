import { expect, it } from 'vitest'
import { findEntryNameFault, isWithin, joinPath, listCrumbs, nameOf, nextFreeName, parentOf } from './paths.ts'

it('joins and takes apart', () => {
  expect(joinPath('/', 'Photos')).toBe('/Photos')
  expect(joinPath('/Photos', 'reef.jpg')).toBe('/Photos/reef.jpg')
  expect([parentOf('/Photos/reef.jpg'), parentOf('/Photos')]).toEqual(['/Photos', '/'])
  expect(nameOf('/Photos/reef.jpg')).toBe('reef.jpg')
  expect(listCrumbs('/')).toEqual([])
  expect(listCrumbs('/a/b')).toEqual([
    { name: 'a', path: '/a' },
    { name: 'b', path: '/a/b' },
  ])
})

it('knows a folder from one whose name begins alike', () => {
  expect(isWithin('/Photos/2026', '/Photos')).toBe(true)
  expect(isWithin('/Photos', '/Photos')).toBe(true)
  expect(isWithin('/Photos2', '/Photos')).toBe(false)
  expect(isWithin('/Photos', '/')).toBe(true)
})

it.each([
  ['', 'empty'],
  ['a/b', 'slash'],
  ['..', 'slash'],
  ['礁'.repeat(86), 'long'],
])('%j as the name of a file has a fault: %s', (name, fault) => {
  expect(findEntryNameFault(name)).toBe(fault)
})

it.each(['..reef', '礁.jpg'])('%j may be the name of a file', (name) => {
  expect(findEntryNameFault(name)).toBeUndefined()
})

it.each([
  ['reef.jpg', 'reef (2).jpg'],
  ['reef (2).jpg', 'reef (3).jpg'],
  ['.profile', '.profile (2)'],
  ['notes', 'notes (2)'],
])('beside %s stands %s', (name, next) => {
  expect(nextFreeName(name)).toBe(next)
})
