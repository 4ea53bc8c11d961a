/**
 * What the instance uses. An instance that is the whole machine or container is measured through /proc; one that is only
 * a share of a machine (`InstanceSize` given) by what this process uses, since /proc shows everybody's there.
 */
import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import type { AgentMetrics } from '@atoll/contract'
import type { InstanceSize } from '../config.ts'
import type { DriveSpace } from '../drive/drive-space.ts'
import { createCpuMeter } from './cpu-meter.ts'

export interface Observer {
  /** Measures now; cpu is the mean since the last time. */
  measure(): Promise<AgentMetrics>
}

export function createObserver(options: {
  size: InstanceSize
  folder: string
  space: DriveSpace
  /** Bytes over the personal server's connections since the start. */
  traffic(): { in: number; out: number }
}): Observer {
  const { size, folder, space, traffic } = options
  const isShare = size.memoryBytes !== undefined
  const cores = size.cpuCount ?? availableParallelism()
  const cpu = createCpuMeter(isShare, cores)

  async function measureMemory(): Promise<{ memoryUsed: number; memoryTotal: number }> {
    if (size.memoryBytes !== undefined) return { memoryUsed: process.memoryUsage.rss(), memoryTotal: size.memoryBytes }
    const fields = await readFile('/proc/meminfo', 'utf8')
    const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(fields)?.[1] ?? 0)
    const memoryTotal = kibibytes('MemTotal') * 1024 || totalmem()
    return { memoryUsed: memoryTotal - kibibytes('MemAvailable') * 1024, memoryTotal }
  }

  async function measureDisk(): Promise<{ diskUsed: number; diskTotal: number }> {
    if (size.diskBytes !== undefined) return { diskUsed: await space.usedBytes(), diskTotal: size.diskBytes }
    const { blocks, bfree, bsize } = await statfs(folder)
    return { diskUsed: (blocks - bfree) * bsize, diskTotal: blocks * bsize }
  }

  return {
    async measure() {
      const [load, memory, disk] = await Promise.all([cpu.read(), measureMemory(), measureDisk()])
      const { in: netIn, out: netOut } = traffic()
      return { at: Date.now(), cpu: load, ...memory, ...disk, netIn, netOut }
    },
  }
}
