/**
 * Resource use of the agent's own container, by its control group: /proc shows the whole machine's there. Both versions
 * of the kernel's interface are mounted as the image's rcS does it (cgroups(7)).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../kernel/atomic-file.ts'

export interface ContainerUse {
  /** Since the container's start, μs. */
  cpuTime(): Promise<number>
  /** Bytes, without what is only a cache of files. */
  memoryUsed(): Promise<number>
}

/** Undefined where no control group is to be seen. */
export async function findContainerUse(root = '/sys/fs/cgroup'): Promise<ContainerUse | undefined> {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const versions: ContainerUse[] = [
    {
      cpuTime: async () => fieldOf(await read('cpu.stat'), 'usage_usec'),
      memoryUsed: async () =>
        Number(await read('memory.current')) - fieldOf(await read('memory.stat'), 'inactive_file'),
    },
    {
      cpuTime: async () => Number(await read('cpuacct/cpuacct.usage')) / 1000,
      memoryUsed: async () =>
        Number(await read('memory/memory.usage_in_bytes')) -
        fieldOf(await read('memory/memory.stat'), 'total_inactive_file'),
    },
  ]
  for (const version of versions) {
    try {
      await Promise.all([version.cpuTime(), version.memoryUsed()])
      return version
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT')) throw error
    }
  }
  return undefined
}

/** Of lines like `inactive_file 4096`; 0 without the field. */
function fieldOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}
