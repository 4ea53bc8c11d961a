import { InstallLog, type InstallStep } from '@atoll/contract/clusters'

/** Lines of a log that a list shows, and bytes of JSON that it spends on a cluster's install. */
const shownLines = 3
const largest = 4096

/**
 * Of an install log, JSON text of `InstallLog`, what lists carry: its steps with their states, and the last three
 * lines; where that is too much, the newest steps.
 */
export function installGlance(text: string): string {
  if (text === '[]') return text
  const log = InstallLog.parse(JSON.parse(text))
  let left = shownLines
  const steps = log
    .toReversed()
    .map((step): InstallStep => {
      const lines = left === 0 ? [] : step.lines.slice(-left)
      left -= lines.length
      return { ...step, lines }
    })
    .toReversed()
  while (sizeOf(steps) > largest) {
    const lined = steps.find(({ lines }) => lines.length > 0)
    if (lined) lined.lines = lined.lines.slice(1)
    else steps.shift()
  }
  return JSON.stringify(steps)
}

function sizeOf(steps: readonly InstallStep[]): number {
  return Buffer.byteLength(JSON.stringify(steps))
}
