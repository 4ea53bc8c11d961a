/** Seconds of processor and memory of other processes, as Linux counts them. */
import { readFileSync, writeFileSync } from 'node:fs'

/** Linux shows them in hundredths of a second, whatever the kernel counts in. */
const ticksPerSecond = 100

/** Processor seconds of a process so far, in user and system mode; `children`: those that it waited for. */
export function processorSeconds(pid: number | 'self', of: 'own' | 'children'): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may hold anything; utime is the 14th field, cutime the 16th.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = of === 'own' ? 11 : 13
  return (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond
}

/** The most memory that it held since `forgetPeak`, MB. */
export function peakMemory(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
