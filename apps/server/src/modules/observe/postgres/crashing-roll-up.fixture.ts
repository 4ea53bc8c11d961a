/**
 * A worker process to be killed: rolls up what is due of a database, whose trigger makes it wait within. Arguments: the
 * database's URL, the time.
 */
import { createDatabase } from '../../../platform/db/index.ts'
import { rollUpHours } from './roll-up.ts'

const [url = '', now = ''] = process.argv.slice(2)
const { db } = createDatabase({ connectionString: url })
await rollUpHours(db, new Date(now))
process.stdout.write('done\n')
