import { expect, test } from 'vitest'
import { newestKept } from './kept-backup.ts'

const backup = (name: string, lastCompletedAt: string | null, more: object = {}) => ({
  clusterId: 'cl_reef',
  state: 'active' as const,
  name,
  lastCompletedAt,
  ...more,
})

test('of the backups of a cluster the one with the newest snapshot is named', () => {
  const backups = [
    backup('Weekly', '2026-11-20T03:00:00.000Z'),
    backup('Nightly', '2026-11-26T03:00:00.000Z'),
    backup('Photos', '2026-11-25T03:00:00.000Z'),
  ]
  expect(newestKept(backups, 'cl_reef')).toEqual({ name: 'Nightly', at: '2026-11-26T03:00:00.000Z' })
})

test('one without a snapshot, one that is being deleted and one of another cluster are none', () => {
  const backups = [
    backup('New', null),
    backup('Leaving', '2026-11-26T03:00:00.000Z', { state: 'deleting' }),
    backup('Theirs', '2026-11-26T03:00:00.000Z', { clusterId: 'cl_other' }),
  ]
  expect(newestKept(backups, 'cl_reef')).toBeUndefined()
  expect(
    newestKept([...backups, backup('Paused', '2026-01-01T00:00:00.000Z', { state: 'paused' })], 'cl_reef')?.name,
  ).toBe('Paused')
})
