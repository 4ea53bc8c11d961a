/**
 * A process that kills itself (SIGKILL) in the middle of its work for domains: each task runs up to its boundary and
 * stops there; when all have stopped or ended, the process kills itself. Prints how many had stopped.
 *
 *   node crashing-domain-worker.ts '{"databaseUrl", "folder", "tasks": [{ "boundary": 3, "task": {…} }]}'
 */
import { writeSync } from 'node:fs'
import { countBoundaries, runToBoundary } from '../../clusters/testing/boundary-pool.ts'
import { buildCrashHarness, type Task } from './crash-harness.ts'

export interface CrashingOptions {
  databaseUrl: string
  folder: string
  tasks: { boundary: number; task: Task }[]
}

const { tasks, ...options }: CrashingOptions = JSON.parse(process.argv[2] ?? '{}')
// One that has stopped keeps its connection; the lock of its job has another.
const harness = buildCrashHarness({ ...options, wrapPool: countBoundaries, poolSize: 2 * tasks.length + 2 })
const ends = await Promise.all(
  tasks.map(({ boundary, task }) =>
    runToBoundary(boundary, () =>
      task.ask === null ? harness.settle(task.domain, { isIssued: true }) : harness.send(task),
    ),
  ),
)
writeSync(1, String(ends.filter(({ halted }) => halted).length))
process.kill(process.pid, 'SIGKILL')
