/** A script to be started by with-node.mjs: says what it got, then waits or ends with the code it was given. */
import { stopWithParent } from './processes.ts'

const [what = '', ...rest] = process.argv.slice(2)
if (what === 'wait') {
  stopWithParent()
  process.on('SIGTERM', () => process.exit(7))
  setInterval(() => undefined, 60_000)
} else process.exitCode = Number(what)
// Last: from here on the test may send signals.
process.stdout.write(
  `${JSON.stringify({ pid: process.pid, major: Number(process.versions.node.split('.')[0]), rest })}\n`,
)
