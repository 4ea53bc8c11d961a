/**
 * An api process to be killed: three agents speak every five seconds of a quick clock, and what is due is written. It
 * says the time after each writing. Arguments: the database's URL, the time to begin at.
 */
import { createDatabase } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { createObserve } from '../index.ts'
import { metricsOf } from '../testing/raw-samples.ts'

const [url = '', begin = ''] = process.argv.slice(2)
const { db } = createDatabase({ connectionString: url })
let now = Date.parse(begin)
const writer = createObserve({
  db,
  clock: { now: () => new Date(now) },
  log: silentLog,
  onMeasured: async () => undefined,
}).startWriter()
for (let said = 1; ; said += 1) {
  for (const agent of ['in_a', 'in_b', 'in_c'])
    writer.add(agent, metricsOf({ at: 0, cpu: 0.5, memory: 100, disk: 10, netIn: said, netOut: 0 }))
  await writer.write()
  process.stdout.write(`${new Date(now).toISOString()}\n`)
  now += 5000
}
