/**
 * The instance's use of resources. An instance that is the whole machine is measured through /proc. If it is only a
 * share of a machine (`size` given), /proc shows everybody's: it is measured by its container's control group if it is
 * a container, or else by the use of this process.
 */
import { readFile, statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import type { AgentMetrics } from '@atoll/contract/agents'
import type { DriveSpace } from '../drive/drive-space.ts'
import type { AgentConfig } from '../kernel/config.ts'
import { findContainerUse } from './container-use.ts'
import { createCpuMeter } from './cpu-meter.ts'

export interface Observer {
  /** Measures now; cpu is the mean since the last time. */
  measure(): Promise<AgentMetrics>
}

export async function createObserver(options: {
  size: AgentConfig['size']
  /** Whether the share is a container of its own. */
  isContainer: boolean
  folder: string
  space: DriveSpace
  /** Bytes over the personal server's connections since the start. */
  traffic(): { in: number; out: number }
}): Promise<Observer> {
  const { size, isContainer, folder, space, traffic } = options
  const isShare = size.memoryBytes !== undefined
  const cores = size.cpuCount ?? availableParallelism()
  const container = isContainer ? await findContainerUse() : undefined
  const cpu = createCpuMeter(container?.cpuTime ?? (isShare ? 'process' : 'machine'), cores)

  async function measureMemory(): Promise<{ memoryUsed: number; memoryTotal: number }> {
    if (size.memoryBytes !== undefined) {
      const memoryUsed = (await container?.memoryUsed()) ?? process.memoryUsage.rss()
      return { memoryUsed, memoryTotal: size.memoryBytes }
    }
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
