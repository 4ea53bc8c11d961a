import { expect, test } from 'vitest'
import { joinPaths } from './join-paths.ts'

test('joins what two lists of paths hold', () => {
  expect(joinPaths(['/Music'], ['/Photos'])).toEqual(['/Music', '/Photos'])
  expect(joinPaths(['/Music', '/Music/a'], ['/Musical', '/Music'])).toEqual(['/Music', '/Musical'])
  expect(joinPaths(['/Photos/2026'], ['/Photos'])).toEqual(['/Photos'])
  expect(joinPaths(['/'], ['/Photos'])).toEqual(['/'])
  expect(joinPaths(['/Photos'], ['/'])).toEqual(['/'])
})
