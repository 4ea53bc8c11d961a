/**
 * A worker process to be killed: takes jobs, says so on standard output, and never finishes one. `test.hang` is in lane
 * `own`, `test.wait` in one of strangers. Argument: the database's URL.
 */
import { z } from 'zod'
import { silentLog } from '../log.ts'
import { defineJob, startWorker } from './index.ts'

const payload = z.object({ note: z.string() })
const waits = 'never'
function run({ note }: z.output<typeof payload>): Promise<void> {
  process.stdout.write(`took ${note}\n`)
  return new Promise<void>(() => undefined)
}
const hang = defineJob({ name: 'test.hang', lane: 'own', waits, payload, run })
const wait = defineJob({ name: 'test.wait', lane: 'mails', accountOf: () => null, waits, payload, run })

await startWorker({
  connection: { connectionString: process.argv[2] ?? '' },
  jobs: [hang, wait],
  log: silentLog,
  concurrency: 1,
})
