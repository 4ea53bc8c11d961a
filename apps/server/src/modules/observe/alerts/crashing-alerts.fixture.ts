/**
 * A worker process to be killed: evaluates the rules once, and never gets past posting a mail. Arguments: the
 * database's URL, the time, the owner of every instance.
 */
import { createDatabase } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { alertsEvaluate } from './alerts-evaluate.ts'

const [url = '', now = '', owner = ''] = process.argv.slice(2)
const { db } = createDatabase({ connectionString: url })
const nothing = { needsSample: false, list: async () => [] }
const job = alertsEvaluate({
  db,
  clock: { now: () => new Date(now) },
  mail: {
    post() {
      process.stdout.write('posting\n')
      return new Promise<string>(() => undefined)
    },
  },
  sources: { workload: nothing, backup: nothing, proof: nothing },
  isChannelServed: async () => true,
  listWatched: async (_, ids) =>
    ids.map((instanceId) => ({ instanceId, name: 'master', clusterId: 'cl_reef', clusterName: 'Reef', owner })),
})
await job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
