import { expect, it } from 'vitest'
import { findTooNew } from './browser-floor.ts'

it('names globals, what hangs on them, and methods that an old browser lacks', () => {
  const code =
    'AbortSignal.any([a]),URL.parse(x),new Float16Array(2),Promise.try(f),document.startsTomorrow,s.flatMap(f),new Set().x'
  expect(findTooNew(code)).toEqual(['.try', 'AbortSignal.any', 'Float16Array', 'Promise.try', 'URL.parse'])
  expect(findTooNew('Iterator.from(x),a.isSubsetOf(b)')).toEqual(['.isSubsetOf', 'Iterator.from'])
})

it('lets pass what all of them have, and what may be missing', () => {
  expect(findTooNew('URL.canParse(x),[].toSorted(),crypto.subtle,navigator.locks,AbortSignal.timeout(1)')).toEqual([])
  expect(findTooNew('AbortSignal.any?.([a]),my.URL.parse(x),"URL"')).toEqual([])
})
