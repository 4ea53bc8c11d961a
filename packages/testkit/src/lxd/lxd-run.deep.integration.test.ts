import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { listProcesses } from '../processes.ts'
import { whyNoLxd } from './lxd-available.ts'
import { openLxdRun } from './lxd-run.ts'

const missing = whyNoLxd()

/** Everything on this machine that belongs to an LXD of `folder` with bridges named after `tag`. */
function remainsOf(folder: string, tag: string): string[] {
  const processes = listProcesses()
    .filter(({ command, environment }) =>
      [...command, environment.get('LXD_DIR') ?? ''].some((text) => text.includes(folder)),
    )
    .map(({ pid, command }) => `${pid} ${command.join(' ')}`)
  const links = readdirSync('/sys/class/net').filter((name) => name.startsWith(tag))
  return [...processes, ...links, ...(existsSync(folder) ? [folder] : [])]
}

test.skipIf(missing)(
  missing
    ? `LXD of killed runs: ${missing}`
    : 'what a killed run left is removed by the next, and nothing of one that runs',
  async () => {
    const program = `
      const { startLxdServer } = await import(${JSON.stringify(new URL('lxd-server.ts', import.meta.url).href)})
      const { folder, network } = await startLxdServer()
      console.log(JSON.stringify({ folder, network }))
      setInterval(() => undefined, 60_000)`
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        // Also when the test ran out of time: what lives on would hold the output of the whole run open.
        onTestFinished(() => void child.kill('SIGKILL'))
        const [line] = await once(createInterface({ input: child.stdout }), 'line')
        const { folder, network } = JSON.parse(String(line)) as { folder: string; network: string } // from above
        return { child, folder, tag: network.replace(/br$/, '') }
      }),
    )
    const [killed, living] = runs
    if (!killed || !living) throw new Error('two runs were started')
    const kill = async ({ child }: typeof killed) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    try {
      await kill(killed)
      expect(remainsOf(killed.folder, killed.tag).length).toBeGreaterThanOrEqual(3)
      const before = remainsOf(living.folder, living.tag)
      const next = await openLxdRun()
      expect(remainsOf(killed.folder, killed.tag)).toEqual([])
      expect(remainsOf(living.folder, living.tag)).toEqual(before)
      await next.remove()
    } finally {
      await kill(living)
      await (await openLxdRun()).remove()
    }
    expect(remainsOf(living.folder, living.tag)).toEqual([])
  },
)
