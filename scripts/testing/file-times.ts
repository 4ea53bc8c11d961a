/**
 * Vitest reporter: writes how long each test file took, hooks and imports included, which of its tests failed and
 * which passed at their second try only, for `npm test` to name them.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { z } from 'zod'
import { projectRoot } from '../project.ts'

/** Names the file that the times are written to, for reporters take no arguments. */
export const fileTimesVariable = 'ATOLL_FILE_TIMES'

export const FileTimes = z.array(
  z.object({
    file: z.string(),
    seconds: z.number(),
    retried: z.array(z.string()),
    /** Failures in the file, each with its message: its tests, its suites, or its import. */
    failed: z.array(z.object({ name: z.string(), message: z.string() })),
  }),
)
export type FileTime = z.infer<typeof FileTimes>[number]

/**
 * How long Vitest may take to end once all tests have, ms. It waits without a limit for a test process whose output a
 * program still holds that a test left behind.
 */
const endingMs = 120_000

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export
export default class FileTimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[fileTimesVariable]
    if (path === undefined) throw new Error(`${fileTimesVariable} is not set`)
    writeFileSync(path, JSON.stringify(modules.map(timeOf)))
    setTimeout(() => {
      process.stderr.write('FAILED  A program that a test started still runs. Vitest is ended without it.\n')
      process.exit(1)
    }, endingMs).unref()
  }
}

function timeOf(module: TestModule): FileTime {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic()
  const ms = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
  const retried = [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky)
  return {
    file: relative(projectRoot, module.moduleId),
    seconds: ms / 1000,
    retried: retried.map(({ fullName }) => fullName),
    failed: [
      ...module.errors().map(({ message }) => ({ name: '(the file)', message })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map(({ message }) => ({ name: suite.fullName, message })),
      ),
      ...[...module.children.allTests('failed')].map((test) => ({
        name: test.fullName,
        message: test.result().errors?.at(0)?.message ?? '',
      })),
    ],
  }
}

/** The `count` slowest files, one a line, slowest first, with the seconds of all files in the headline. */
export function reportSlowest(times: readonly FileTime[], count: number): string {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
  const sum = times.reduce((total, { seconds }) => total + seconds, 0)
  const line = ({ file, seconds }: FileTime) => `${seconds.toFixed(1).padStart(7)} s  ${file}`
  return [`The slowest ${slowest.length} of ${times.length} files (${sum.toFixed(0)} s):`, ...slowest.map(line)].join(
    '\n',
  )
}

/** The tests that failed once and passed when they were run again, one a line; empty when there are none. */
export function reportRetried(times: readonly FileTime[]): string {
  const lines = times.flatMap(({ file, retried }) => retried.map((name) => `  ${file} > ${name}`))
  return lines.length === 0 ? '' : [`Passed at the second try only (${lines.length}):`, ...lines].join('\n')
}

const shownOfMessage = 2_000

/**
 * Failed tests, each with the beginning of its message; empty without any. It is printed at the end of a long run,
 * where a truncated log still has it.
 */
export function reportFailed(times: readonly FileTime[]): string {
  const lines = times.flatMap(({ file, failed }) =>
    failed.map(({ name, message }) => `  ${file} > ${name}\n    ${message.slice(0, shownOfMessage)}`),
  )
  return lines.length === 0 ? '' : [`Failed (${lines.length}):`, ...lines].join('\n')
}
