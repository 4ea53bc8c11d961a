import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, uptime } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { runToEnd } from '../processes.ts'
import { binaryOf, projectRoot } from '../project.ts'
import { type FileTime, FileTimes, fileTimesVariable } from './file-times.ts'
import { type Kind, kindVariable } from './kinds.ts'
import { type Tier, tierVariable } from './tiers.ts'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 }

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** The part of Vitest's JSON report that is read. */
const Report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

/**
 * Counts of a report. A file that failed to load, or an error outside any test, is a failure though no test failed.
 */
export function countsOf(report: unknown, exitCode: number): Counts {
  const parsed = Report.parse(report)
  const brokenFiles = parsed.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failed = parsed.numFailedTests + brokenFiles.length
  return {
    passed: parsed.numPassedTests,
    failed: failed === 0 && (exitCode !== 0 || !parsed.success) ? 1 : failed,
    skipped: parsed.numPendingTests + parsed.numTodoTests,
  }
}

/**
 * Runs the tests that projects of vitest.config.ts have in a tier (and of a kind, where one is given), `workers` files
 * at a time; `filters` are parts of file names or options of Vitest. The time of each file is added to `times`. Ends
 * with a line that says how long it took and how busy the processors were: idle ones could take more files at a time.
 */
export async function runVitest(
  projects: readonly string[],
  filters: readonly string[],
  { tier, kind, workers, times }: { tier: Tier; kind?: Kind; workers: number; times: FileTime[] },
): Promise<Counts> {
  const folder = join(projectRoot, '.cache')
  const name = ['vitest', tier, ...projects, ...(kind ? [kind] : [])].join('-')
  const report = join(folder, `${name}.json`)
  const timesFile = join(folder, `${name}-times.json`)
  mkdirSync(folder, { recursive: true })
  for (const file of [report, timesFile]) rmSync(file, { force: true })
  const args = [
    binaryOf('vitest'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    `--maxWorkers=${workers}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./scripts/testing/file-times.ts',
    '--passWithNoTests',
    ...filters,
  ]
  const env = { ...process.env, [tierVariable]: tier, [kindVariable]: kind, [fileTimesVariable]: timesFile }
  const began = readLoad()
  const exitCode = await runToEnd(process.execPath, args, { env })
  process.stdout.write(`${name} took ${describeLoad(began, readLoad())}.\n`)
  try {
    times.push(...FileTimes.parse(JSON.parse(readFileSync(timesFile, 'utf8'))))
    return countsOf(JSON.parse(readFileSync(report, 'utf8')), exitCode)
  } catch (error) {
    process.stdout.write(`Vitest ended with ${exitCode} and left no report: ${String(error)}\n`)
    return { ...noCounts, failed: 1 }
  }
}

/** Seconds since the machine started, and of all processors together those in which they were busy or idle. */
interface Load {
  at: number
  busy: number
  idle: number
}

function readLoad(): Load {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, each) => sum + each.idle, 0) / 1000
  const all = times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.irq + each.idle, 0) / 1000
  return { at: uptime(), busy: all - idle, idle }
}

function describeLoad(from: Load, to: Load): string {
  const busy = to.busy - from.busy
  const share = busy / (busy + to.idle - from.idle)
  return `${(to.at - from.at).toFixed(0)} s, in which the processors were busy for ${(share * 100).toFixed(0)} %`
}
