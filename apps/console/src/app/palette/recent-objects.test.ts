import { beforeEach, expect, test, vi } from 'vitest'
import { noteVisit, readVisits } from './recent-objects.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  return () => vi.unstubAllGlobals()
})

test('the last objects come first, each once, and those of another account not at all', () => {
  for (const href of ['/', '/cluster/cl_1?tab=network', '/billing', '/domain/cmVlZg', '/cluster/cl_1', '/clusters/x'])
    noteVisit('did:a', href)
  expect(readVisits('did:a')).toEqual(['/cluster/cl_1', '/domain/cmVlZg'])
  expect(readVisits('did:b')).toEqual([])
})

test('no more than six are kept', () => {
  for (let index = 0; index < 9; index++) noteVisit('did:a', `/payment/inv_${index}`)
  expect(readVisits('did:a')).toHaveLength(6)
  expect(readVisits('did:a')[0]).toBe('/payment/inv_8')
})
