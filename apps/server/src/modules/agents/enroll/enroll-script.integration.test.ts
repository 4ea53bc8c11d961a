import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listProcessesOf, until } from '@atoll/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderEnrollScript } from './enroll-script.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'atoll-enroll-'))
})
afterEach(async () => {
  for (const { pid } of listProcessesOf(dir)) process.kill(pid, 'SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

/** Installs an agent that joins at once and then does what `program` says; gives its script, without systemd. */
async function install(program: string) {
  const source = join(dir, 'source')
  await mkdir(source)
  const joins = `const { writeFileSync } = await import('node:fs')
const home = process.env.ATOLL_AGENT_HOME
${program}
writeFileSync(home + '/agent.json', '{"instanceId":"in_reef"}')
setInterval(() => undefined, 1000)\n`
  await writeFile(join(source, 'main.mjs'), joins)
  spawnSync('tar', ['-czf', join(dir, 'agent.tar.gz'), '-C', source, 'main.mjs'])
  const archive = await readFile(join(dir, 'agent.tar.gz'))
  const server = createServer((_, response) => response.end(archive)).listen(0, '127.0.0.1')
  await until('it listens', () => server.listening)
  const script = renderEnrollScript({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    agentFile: 'agent.tar.gz',
    agentSha256: createHash('sha256').update(archive).digest('hex'),
    nodeFile: 'none',
    nodeSha256: 'none',
    nodePlatform: 'none',
  })
  const place = join(dir, 'atoll')
  const run = async (args: readonly string[], more: Record<string, string> = {}) => {
    const shell = spawn('sh', ['-s', '--', ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        ATOLL_DIR: place,
        ATOLL_NO_SYSTEMD: '1',
        ...more,
      },
    })
    shell.stdin.end(script)
    return await text(shell.stdout)
  }
  expect(await run([], { ATOLL_ENROLL_TOKEN: 'once' })).toContain('This machine has joined.')
  server.close()
  return { place, run }
}

const killed = 'did not end in 1 s and was killed'

test('an agent that ends in order is waited for until it has', async () => {
  const { place, run } = await install(`process.once('SIGTERM', () =>
    setTimeout(() => process.exit(writeFileSync(home + '/ended', '')), 300))`)
  expect(await run(['--uninstall'])).not.toContain('killed')
  expect(listProcessesOf(place)).toEqual([])
  expect(existsSync(join(place, 'home/ended'))).toBe(true)
  expect(await readdir(place)).toEqual(['home'])
})

test.each(['', 'the shell that kept it running is gone'])(
  'an agent that does not end is killed with what it started, then its files go; %s',
  async (isLeft) => {
    const { place, run } = await install(`process.on('SIGTERM', () => undefined)
const { spawn } = await import('node:child_process')
spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })`)
    const names = () => listProcessesOf(place).map(({ command }) => command[0]?.split('/').at(-1))
    expect(names().sort()).toEqual(['node', 'sh', 'sleep'])
    if (isLeft) process.kill(Number(await readFile(join(place, 'agent.pid'), 'utf8')), 'SIGKILL')
    // It only names a file of the agent's.
    const reader = spawn('tail', ['-f', join(place, 'run.sh')], { stdio: 'ignore' })
    try {
      expect(await run(['--uninstall', '--purge'], { ATOLL_STOP_SECONDS: '1' })).toContain(killed)
      expect(names()).toEqual(['tail'])
      expect(existsSync(place)).toBe(false)
    } finally {
      reader.kill()
    }
  },
)
