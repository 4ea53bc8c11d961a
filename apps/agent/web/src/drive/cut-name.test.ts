import { expect, it } from 'vitest'
import { cutName, tipOfName } from './cut-name.ts'

it.each([
  ['Holiday in Rangiroa 2026.jpeg', 'Holiday in Rangiroa ', '2026.jpeg'],
  ['A folder with a very long name', 'A folder with a very long ', 'name'],
  ['2026年夏天在朗伊罗阿环礁潜水的照片合集.zip', '2026年夏天在朗伊罗阿环礁潜水的', '照片合集.zip'],
  ['no type. only a sentence that ends', 'no type. only a sentence that ', 'ends'],
  [
    'families 👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧.png',
    'families 👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧',
    '👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧.png',
  ],
])('cuts %s before its end and type', (name, beginning, end) => {
  expect(cutName(name)).toEqual({ beginning, end })
  expect(tipOfName(name)).toBe(name)
})

it('leaves a short name whole', () => {
  expect(cutName('reef map.txt')).toBeUndefined()
  expect(tipOfName('reef map.txt')).toBeUndefined()
})
