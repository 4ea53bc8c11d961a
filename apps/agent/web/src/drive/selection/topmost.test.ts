import type { DriveFound } from '@atoll/contract/personal-server'
import { expect, it } from 'vitest'
import { topmost } from './topmost.ts'

const at = (path: string): DriveFound => ({ path, name: path, kind: 'file', size: 0, modifiedAt: '' })

it('leaves out what goes with its folder', () => {
  const items = ['/a/b/c', '/a', '/ab', '/d/e'].map(at)
  expect(topmost(items).map(({ path }) => path)).toEqual(['/a', '/ab', '/d/e'])
})
