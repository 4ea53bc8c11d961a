/**
 * A worker process to be killed: takes `test.hang` jobs, says so on standard output, and never finishes one. Argument:
 * the database's URL.
 */
import { z } from 'zod'
import { silentLog } from '../log.ts'
import { defineJob, startWorker } from './index.ts'

const hang = defineJob({
  name: 'test.hang',
  payload: z.object({ note: z.string() }),
  run: ({ note }) => {
    process.stdout.write(`took ${note}\n`)
    return new Promise<void>(() => undefined)
  },
})

await startWorker({
  connection: { connectionString: process.argv[2] ?? '' },
  jobs: [hang],
  log: silentLog,
  concurrency: 1,
})
