/** Runs an operator's command, `with-restic.ts FOLDER/FILE ARGUMENTS…`, with the restic that `npm start` would take. */
import { ensureRestic } from './programs/restic.ts'

const [file] = process.argv.splice(2, 1)
const restic = await ensureRestic((text) => process.stderr.write(`${text}\n`))
if (restic !== undefined) process.env['RESTIC'] = restic
await import(`../apps/server/src/operator/${file}`)
