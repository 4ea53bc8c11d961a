/**
 * First code of an instance's process: `node launch.ts <program>`. It makes "one process per instance" true whatever
 * happens to the control plane between starting a process and noting it:
 *   1. it takes the instance's lock, a socket in Linux's abstract namespace that the kernel frees when the process
 *   ends;
 *      a second process finds it taken and ends;
 *   2. with the lock held it checks whether the instance still exists and should run. A stop or destroy changes that
 *      first and then finds processes, so either it finds this one or this one finds out here;
 *   3. it notes itself in process.json and becomes the program.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const home = process.env['ATOLL_AGENT_HOME'] ?? ''
const mark = process.env['ATOLL_INSTANCE_MARK'] ?? ''
const program = process.argv[2] ?? ''

/** Imports as little as possible: every boot of an instance waits for it. */
function isWanted(): boolean {
  try {
    const record: unknown = JSON.parse(readFileSync(join(home, 'instance.json'), 'utf8'))
    return (record as { mark?: unknown }).mark === mark && (record as { wanted?: unknown }).wanted === 'running'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function noteSelf(): void {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const startTime = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  const path = join(home, 'process.json')
  writeFileSync(`${path}.new`, JSON.stringify({ pid: process.pid, startTime }), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

const lock = createServer((socket) => socket.destroy())
lock.listen(`\0atoll-instance-${createHash('sha256').update(mark).digest('hex')}`)
try {
  await once(lock, 'listening')
} catch (error) {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') process.exit(0)
  throw error
}
// Must not keep the program alive when it is done.
lock.unref()
if (!isWanted()) process.exit(0)
noteSelf()
process.argv.splice(1, 2, program)
await import(pathToFileURL(program).href)
