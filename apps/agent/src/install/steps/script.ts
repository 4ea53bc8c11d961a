/**
 * Step `script`: the operator's own, from the catalogue's version. Run by `/bin/sh -eu` as the agent's user in a
 * folder of its own, `ATOLL_HOME`, which lasts. It may be killed anywhere and is run again from its start, as every
 * step.
 */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Step } from '../../drive/install-step.ts'
import { endGroup } from '../../kernel/end-group.ts'

/**
 * Ends the whole group when the agent dies, however suddenly: the next agent runs the script again, and two must not
 * run side by side. The agent holds the other end of descriptor 3 and never writes to it.
 */
const program = '{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & exec /bin/sh -eu 3<&-'

export const runScript: Step = async ({ home, store, version, signal, say }) => {
  const script = store.current.release?.script
  if (script === undefined) throw new Error('The release has no script to run. Correct the catalogue, and retry.')
  const folder = home.script
  await mkdir(folder, { recursive: true, mode: 0o700 })
  signal.throwIfAborted()
  const child = spawn('/bin/sh', ['-c', program], {
    cwd: folder,
    // Nothing of the agent's own environment: its tokens are no business of the script.
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8', ATOLL_HOME: folder, ATOLL_VERSION: version },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  })
  // Waited for from the start: it may come together with the exit.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isOver = false
  let lastLine = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() === '') return
      lastLine = line
      say('script', line)
    })
  }
  const killGroup = () => endGroup(child, 'SIGKILL')
  signal.addEventListener('abort', killGroup, { once: true })
  try {
    const ended = new Promise<string | undefined>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, by) =>
        resolve(code === 0 ? undefined : by ? `was ended by ${by}` : `ended with ${code}`),
      )
    })
    // A script that ends without reading itself to the end closes the pipe; how it ended says the rest.
    child.stdin.on('error', () => undefined)
    child.stdin.end(script)
    const problem = await ended
    // Its background processes end too, and with them the last of the lines.
    killGroup()
    await closed
    isOver = true
    if (problem !== undefined)
      throw new Error(`The install script ${problem}${lastLine === '' ? '' : `: ${lastLine}`}. Correct it, and retry.`)
  } finally {
    signal.removeEventListener('abort', killGroup)
    // Its number may be another's by then.
    if (!isOver) killGroup()
  }
}
