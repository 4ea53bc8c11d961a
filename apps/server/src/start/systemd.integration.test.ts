/** Sockets that outlive the process that serves them, as systemd passes them on. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { createSystemd, dnsSocketsOf, readGivenSockets } from './systemd.ts'

const fixture = fileURLToPath(new URL('given-sockets.fixture.ts', import.meta.url))

describe('sockets that were given', () => {
  test('are read by name, by the process that they were given to', () => {
    const env = { LISTEN_PID: '7', LISTEN_FDS: '4', LISTEN_FDNAMES: 'api:dns-udp:dns-tcp:dns-udp' }
    expect([...readGivenSockets(env, 7)]).toEqual([
      ['api', [3]],
      ['dns-udp', [4, 6]],
      ['dns-tcp', [5]],
    ])
    expect([...readGivenSockets(env, 8)]).toEqual([])
    expect([...readGivenSockets({}, 7)]).toEqual([])
    expect(dnsSocketsOf(readGivenSockets(env, 7))).toEqual({ udp4: [4, 6], udp6: [], tcp: [5] })
    expect(dnsSocketsOf(readGivenSockets({ ...env, LISTEN_FDS: '1' }, 7))).toBeUndefined()
  })

  test('keep who comes while no process serves them, and the next one answers', async () => {
    const server = createServer()
    server.listen({ host: '127.0.0.1', port: 0, backlog: 100 })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { fd } = (server as unknown as { _handle: { fd: number } })._handle // Node publishes no other way to it
    // Holds the socket, and runs one process after the other on it, as systemd does.
    const oneAfterTheOther = `while read number; do sh -c 'LISTEN_PID=$$ exec "$@"' - "$0" "$1" "$number"; done`
    const holder = spawn('sh', ['-c', oneAfterTheOther, process.execPath, fixture], {
      env: { ...process.env, LISTEN_FDS: '1', LISTEN_FDNAMES: 'api' },
      stdio: ['pipe', 'pipe', 'inherit', fd],
    }) as ChildProcessByStdio<Writable, Readable, null> // as stdio says
    const pids = createInterface({ input: holder.stdout })[Symbol.asyncIterator]()
    const serve = async (number: number) => {
      holder.stdin.write(`${number}\n`)
      return Number((await pids.next()).value)
    }
    const ask = async () => await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()
    await new Promise((resolve) => server.close(resolve))

    const first = await serve(1)
    expect(await ask()).toBe('api 1')
    process.kill(first, 'SIGKILL')
    const waiting = [ask(), ask(), ask()]
    const second = await serve(2)
    expect(await Promise.all(waiting)).toEqual(['api 2', 'api 2', 'api 2'])
    holder.stdin.end()
    process.kill(second, 'SIGTERM')
    await once(holder, 'exit')
  })
})

describe('what systemd is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-systemd-'))
  const told = join(folder, 'told')
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  test('goes through its own program, with the signs of life three times within their time', async () => {
    writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    const systemd = createSystemd({ NOTIFY_SOCKET: '/run/told', WATCHDOG_USEC: '30000' }, 7, silentLog)
    await systemd.notify('--ready', '--status=roles api')
    expect(readFileSync(told, 'utf8')).toBe('--pid=7 --ready --status=roles api\n')
    const watchdog = systemd.startWatchdog()
    await expect.poll(() => readFileSync(told, 'utf8')).toMatch(/(--pid=7 WATCHDOG=1\n){3}/)
    watchdog.stop()
    await createSystemd({ WATCHDOG_USEC: '30000' }, 7, silentLog).notify('--without-systemd')
    expect(readFileSync(told, 'utf8')).not.toContain('--without-systemd')
  })
})
