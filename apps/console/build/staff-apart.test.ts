import { expect, test } from 'vitest'
import { type BuiltChunk, findMixed } from './staff-apart.ts'

const chunk = (fileName: string, modules: string[], facts: Partial<BuiltChunk> = {}): BuiltChunk => ({
  fileName,
  isEntry: false,
  imports: [],
  modules: Object.fromEntries(modules.map((id) => [id, {}])),
  ...facts,
})
const staff = chunk('operator.js', ['/src/operator/Area.tsx'])

test('a part that only imports on demand reach is apart', () => {
  const home = chunk('home.js', ['/src/home/HomePage.tsx'], { isEntry: true })
  expect(findMixed([home, { ...staff, imports: ['home.js'] }], /\/src\/operator\//)).toEqual([])
})

test('a file that loads the part, or the entry that holds it, is named', () => {
  const home = chunk('home.js', ['/src/home/HomePage.tsx'], { imports: ['operator.js'] })
  expect(findMixed([home, staff], /\/src\/operator\//)).toEqual(['home.js loads /src/operator/Area.tsx'])
  expect(findMixed([{ ...staff, isEntry: true }], /\/src\/operator\//)).toEqual([
    'operator.js holds /src/operator/Area.tsx',
  ])
})
