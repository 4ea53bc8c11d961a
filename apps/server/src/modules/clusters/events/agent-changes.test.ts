import { expect, test } from 'vitest'
import { sizeOf } from './agent-changes.ts'

test('a machine on a file system without end is as large as a row can say', () => {
  const machine = { hostname: 'reef', cpuCoreCount: 4, memoryMiB: 8192, diskMiB: 2 ** 43, address: null }
  expect(sizeOf(machine)).toEqual({ cpu_core_count: 4, memory_mib: 8192, disk_mib: 2_147_483_647 })
})
