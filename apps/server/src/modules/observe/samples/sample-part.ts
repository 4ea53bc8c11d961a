/** Samples of one instance gathered into parts of minutes. Pure. */
import type { SamplePart } from './sample-store.ts'

export const minuteMs = 60_000
/**
 * A part is closed so long after its first sample, though its minute goes on: with what comes every 5 s nothing of the
 * minute is left by then, and a process that is killed loses less than a minute. ms
 */
const longestMs = 57_000

/** A sample as it arrived: `cpu` 0..1, the rest whole bytes. */
export interface Sample {
  /** ms */
  at: number
  cpu: number
  memory: number
  disk: number
  netIn: number
  netOut: number
}

export interface OpenPart {
  firstAt: number
  last: Sample
  samples: number
  cpuSum: number
  cpuMax: number
  memorySum: number
  memoryMax: number
  diskSum: number
}

export function openPart(sample: Sample): OpenPart {
  return {
    firstAt: sample.at,
    last: sample,
    samples: 1,
    cpuSum: sample.cpu,
    cpuMax: sample.cpu,
    memorySum: sample.memory,
    memoryMax: sample.memory,
    diskSum: sample.disk,
  }
}

/** Whether `sample` belongs to `part`: of its minute, not earlier than what it has, and no counter fell. */
export function takesSample(part: OpenPart, sample: Sample): boolean {
  const { last } = part
  return (
    Math.floor(last.at / minuteMs) === Math.floor(sample.at / minuteMs) &&
    sample.at >= last.at &&
    sample.netIn >= last.netIn &&
    sample.netOut >= last.netOut
  )
}

export function addSample(part: OpenPart, sample: Sample): void {
  part.last = sample
  part.samples += 1
  part.cpuSum += sample.cpu
  part.cpuMax = Math.max(part.cpuMax, sample.cpu)
  part.memorySum += sample.memory
  part.memoryMax = Math.max(part.memoryMax, sample.memory)
  part.diskSum += sample.disk
}

/** Whether `part` waits for nothing more at `now`, ms; so it is when the clock was set back. */
export function isOver(part: OpenPart, now: number): boolean {
  const isItsMinute = Math.floor(now / minuteMs) === Math.floor(part.firstAt / minuteMs)
  return !isItsMinute || now - part.firstAt >= longestMs
}

export function closePart(instanceId: string, part: OpenPart): SamplePart {
  const { last, samples } = part
  return {
    instanceId,
    at: new Date(last.at),
    samples,
    cpu: part.cpuSum / samples,
    cpuMax: part.cpuMax,
    memory: Math.round(part.memorySum / samples),
    memoryMax: part.memoryMax,
    disk: Math.round(part.diskSum / samples),
    netIn: last.netIn,
    netOut: last.netOut,
  }
}
