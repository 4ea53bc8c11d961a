/** A process that runs the embedded PostgreSQL until it is killed. Argument: the data folder. */
import { silentLog } from '../../log.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: silentLog })
process.stdout.write(`${server.pid()}\n`)
// Keeps the process; the test ends it.
setInterval(() => undefined, 60_000)
