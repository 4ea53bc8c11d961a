import { readFile } from 'node:fs/promises'

/** Busy and all CPU time so far, in one unit. */
interface CpuTimes {
  busy: number
  all: number
}

/**
 * Reads the share (0..1) of `cores` that was busy since the last reading, or since it was made: by the CPU time that
 * `source` gives in μs, of this process, or of the machine.
 */
export function createCpuMeter(
  source: 'process' | 'machine' | (() => Promise<number>),
  cores: number,
): { read(): Promise<number> } {
  const since = performance.now()
  const readTimes =
    source === 'machine'
      ? machineTimes
      : source === 'process'
        ? () => processTimes(cores)
        : async () => ({ busy: await source(), all: (performance.now() - since) * 1000 * cores })
  let last: CpuTimes | undefined
  return {
    async read() {
      const times = await readTimes()
      const before = last ?? { busy: 0, all: 0 }
      last = times
      const all = times.all - before.all
      return all > 0 ? Math.min(1, Math.max(0, (times.busy - before.busy) / all)) : 0
    },
  }
}

async function processTimes(cores: number): Promise<CpuTimes> {
  const { user, system } = process.cpuUsage()
  return { busy: user + system, all: process.uptime() * 1e6 * cores }
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal, in ticks (proc(5)). */
async function machineTimes(): Promise<CpuTimes> {
  const [, ...fields] = (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]?.split(/\s+/) ?? []
  const ticks = fields.slice(0, 8).map(Number)
  const all = ticks.reduce((sum, value) => sum + value, 0)
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  return { busy: all - idle, all }
}
