/** Medians and percentiles of what was measured, and how they are printed. */

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle]
  const low = sorted[middle - 1]
  if (high === undefined) throw new Error('nothing was measured')
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2
}

/** The 99th percentile, by nearest rank. */
export function p99(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}

/** One measured ratio with what it is to reach. */
export interface Ratio {
  name: string
  value: number
  target: { atMost: number } | { atLeast: number }
  /** The raw figures it comes from, in words. */
  from: string
}

export function isMet({ value, target }: Ratio): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}

export function ratioLine(ratio: Ratio): string {
  const { name, value, target, from } = ratio
  const wanted = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
  return `${isMet(ratio) ? 'met   ' : 'MISSED'}  ${name}: ${value.toFixed(2)} (target ${wanted})\n        ${from}`
}
