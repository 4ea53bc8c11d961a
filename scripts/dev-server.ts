/** The server of `npm run dev`, started again when its sources change; ends with scripts/dev.ts, killed perhaps. */
import { runToEnd, stopWithParent } from './processes.ts'
import { findResticProgram } from './programs/restic.ts'

stopWithParent()
const watch = ['--watch-path=apps/server', '--watch-path=packages', '--watch-preserve-output']
const server = 'apps/server/src/main.ts'
const restic = findResticProgram()
const env = { ...process.env, ...(restic !== undefined && { RESTIC: restic }) }
process.exitCode = await runToEnd(process.execPath, [...watch, server, ...process.argv.slice(2)], { env })
