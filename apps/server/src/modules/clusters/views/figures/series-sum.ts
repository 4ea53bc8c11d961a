import type { MetricsContent, Series } from '@atoll/contract/clusters'

interface Part {
  cores: number
  series: MetricsContent
}

/**
 * Several instances as one: `cpu` is the mean over their cores, the rest adds up. An instance counts from its first
 * sample to its last; a step between, which one of them has no sample of, has no point: less would be shown as true.
 */
export function addUpSeries(parts: readonly Part[], stepMs: number): MetricsContent {
  const over = (metric: keyof MetricsContent, weigh: (part: Part) => number) => {
    const counted = parts
      .map((part) => ({ weight: weigh(part), values: new Map(part.series[metric]) }))
      .filter(({ values }) => values.size > 0)
      .map((part) => {
        const times = [...part.values.keys()]
        return { ...part, from: Math.min(...times), to: Math.max(...times) }
      })
    const times = [...new Set(counted.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b)
    return times.flatMap((time): Series => {
      // One whose newest step is the one before may not have reported in this one yet.
      const there = counted.filter(({ from, to }) => from <= time && time <= to + stepMs)
      if (there.some(({ values }) => !values.has(time))) return []
      const weights = metric === 'cpu' ? there.reduce((sum, { weight }) => sum + weight, 0) : 1
      return [[time, there.reduce((sum, { weight, values }) => sum + weight * (values.get(time) ?? 0), 0) / weights]]
    })
  }
  const one = () => 1
  return {
    cpu: over('cpu', ({ cores }) => cores),
    memory: over('memory', one),
    disk: over('disk', one),
    netIn: over('netIn', one),
    netOut: over('netOut', one),
  }
}
