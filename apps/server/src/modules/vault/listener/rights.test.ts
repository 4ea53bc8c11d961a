import { expect, test } from 'vitest'
import type { Granted } from '../records/grant-store.ts'
import type { FileType } from '../vault-tables.ts'
import type { Target } from './read-path.ts'
import { isAllowed } from './rights.ts'

const name = 'ab'.repeat(32)
const file = (type: FileType): Target => ({ kind: 'file', repositoryId: 'vr_here', type, name })
const types: FileType[] = ['config', 'data', 'index', 'snapshots', 'keys', 'locks']
const rights = ['read', 'write', 'prune'] as const
const granted = (right: Granted['right'], deletes: Granted['deletes'] = { snapshots: [], key: null }) => ({
  right,
  deletes,
})

test.each(['GET', 'HEAD'])('every right reads every file by %s', (method) => {
  for (const right of rights)
    for (const type of types)
      expect([right, type, isAllowed(method, file(type), granted(right))]).toEqual([right, type, true])
})

test('a grant to read stores locks and nothing else, and deletes locks and nothing else', () => {
  for (const method of ['POST', 'DELETE'])
    expect(types.filter((type) => isAllowed(method, file(type), granted('read')))).toEqual(['locks'])
})

test('grants to write and to prune store every file', () => {
  for (const right of ['write', 'prune'] as const)
    expect(types.filter((type) => isAllowed('POST', file(type), granted(right)))).toEqual(types)
})

test('a grant to write deletes locks alone, one to prune also data, index, and the snapshots and the key it names', () => {
  const deleted = (one: ReturnType<typeof granted>) => types.filter((type) => isAllowed('DELETE', file(type), one))
  expect(deleted(granted('write'))).toEqual(['locks'])
  expect(deleted(granted('prune'))).toEqual(['data', 'index', 'locks'])
  expect(deleted(granted('prune', { snapshots: [name], key: name }))).toEqual([
    ...['data', 'index', 'snapshots', 'keys', 'locks'],
  ])
})
