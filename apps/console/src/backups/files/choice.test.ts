import type { LookEntry } from '@atoll/contract/backups'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Choice,
  chosenOf,
  chosenOfAll,
  folderOf,
  isPlain,
  pathIn,
  readableName,
  sumOf,
  toggle,
  toggleAll,
} from './choice.ts'

const folder: LookEntry = { name: 'Uni', kind: 'folder', size: 70, files: 3, modifiedAt: 0 }
const file: LookEntry = { name: 'a', kind: 'file', size: 7, files: null, modifiedAt: 0 }
const none: Choice = new Map()

test('a folder that is chosen takes the place of what was chosen in it', () => {
  const part = toggle(toggle(none, '/Uni/a', file), '/Unicorn', file)
  expect(chosenOf(part, '/Uni')).toBe('some')
  const whole = toggle(part, '/Uni', folder)
  expect([...whole.keys()]).toEqual(['/Unicorn', '/Uni'])
  expect(chosenOf(whole, '/Uni/a')).toBe('within')
  expect(chosenOf(whole, '/Uni')).toBe('itself')
  expect(sumOf(whole)).toEqual({ files: 4, bytes: 77 })
  expect(chosenOf(toggle(whole, '/Uni', folder), '/Uni')).toBe('none')
})

test('what a folder holds may be unknown, and then the sum is', () => {
  expect(sumOf(toggle(none, '/Uni', { ...folder, files: null, size: null }))).toEqual({ files: null, bytes: null })
})

test('no chosen path is ever inside another, in whatever order entries are pressed', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'aa'), { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join('/')}`)
  fc.assert(
    fc.property(fc.array(path, { maxLength: 30 }), (pressed) => {
      let choice = none
      // Entries inside a chosen folder cannot be pressed.
      for (const each of pressed) if (chosenOf(choice, each) !== 'within') choice = toggle(choice, each, folder)
      const all = [...choice.keys()]
      expect(all.some((inner) => all.some((outer) => inner.startsWith(`${outer}/`)))).toBe(false)
    }),
  )
})

test('all that is shown is chosen at once, and given up at once', () => {
  const shown = new Map([
    ['/Uni', folder],
    ['/b', file],
  ])
  const part = toggle(toggle(none, '/Uni/a', file), '/elsewhere', file)
  expect(chosenOfAll(part, ['/Uni', '/b'])).toBe('some')
  const all = toggleAll(part, shown)
  expect([...all.keys()]).toEqual(['/elsewhere', '/Uni', '/b'])
  expect(chosenOfAll(all, ['/Uni', '/b'])).toBe('itself')
  expect([...toggleAll(all, shown).keys()]).toEqual(['/elsewhere'])
  expect(chosenOfAll(none, ['/Uni', '/b'])).toBe('none')
  // In a folder that is chosen there is nothing to choose.
  expect(chosenOfAll(all, ['/Uni/a'])).toBe('within')
  expect(toggleAll(all, new Map([['/Uni/a', file]]))).toEqual(all)
})

test('what is chosen lies in one folder', () => {
  const of = (...paths: string[]) =>
    folderOf(new Map(paths.map((path) => [path, path.endsWith('Uni') ? folder : file])))
  expect(of()).toBe('/')
  expect(of('/Uni')).toBe('/Uni')
  expect(of('/a')).toBe('/')
  expect(of('/Uni/a')).toBe('/Uni')
  expect(of('/Uni/a', '/Uni/x/b')).toBe('/Uni')
  expect(of('/Uni/a', '/Unicorn/b')).toBe('/')
})

test('names of any bytes are shown as a person reads them', () => {
  expect(readableName('caf\u{10ffe9}.bin')).toBe('caf\ufffd.bin')
  expect([isPlain('/Uni/caf\u{10ffe9}.bin'), isPlain('/Uni/café\n.bin')]).toEqual([false, true])
  expect([pathIn('/', 'a'), pathIn('/Uni', 'a')]).toEqual(['/a', '/Uni/a'])
})
