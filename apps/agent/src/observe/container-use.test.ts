import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findContainerUse } from './container-use.ts'

describe('what a container uses', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'atoll-cgroup-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('is read from version 2 of the interface, file cache left out', async () => {
    writeFileSync(join(root, 'cpu.stat'), 'usage_usec 2500000\nuser_usec 1\n')
    writeFileSync(join(root, 'memory.current'), '10000\n')
    writeFileSync(join(root, 'memory.stat'), 'anon 6000\ninactive_file 1000\n')
    const use = await findContainerUse(root)
    expect(await use?.cpuTime()).toBe(2_500_000)
    expect(await use?.memoryUsed()).toBe(9000)
  })

  test('is read from version 1, which counts nanoseconds and what is below', async () => {
    for (const name of ['cpuacct', 'memory']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'cpuacct/cpuacct.usage'), '7000000\n')
    writeFileSync(join(root, 'memory/memory.usage_in_bytes'), '10000\n')
    writeFileSync(join(root, 'memory/memory.stat'), 'inactive_file 5\ntotal_inactive_file 1000\n')
    const use = await findContainerUse(root)
    expect(await use?.cpuTime()).toBe(7000)
    expect(await use?.memoryUsed()).toBe(9000)
  })

  test('is unknown where there is no control group', async () => {
    expect(await findContainerUse(root)).toBeUndefined()
  })
})
