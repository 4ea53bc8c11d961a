/**
 * The exchange between systemd and this process: sockets that systemd holds open, so that a restart refuses no
 * connection (sd_listen_fds(3)), that the start is over, and that the event loop still turns (sd_notify(3)). Without
 * systemd all of it does nothing.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { GivenSockets } from '../platform/listening.ts'
import type { Log } from '../platform/log.ts'

/** Each is the `FileDescriptorName` of a socket unit. */
export type SocketName = 'api' | 'wallet' | 'vault' | 'edge' | 'edge-tls' | 'dns-udp' | 'dns-udp6' | 'dns-tcp'

type Environment = Readonly<Record<string, string | undefined>>

const firstDescriptor = 3

/** Descriptors of the sockets that systemd gave the process `pid`, by name; a name may have several. */
export function readGivenSockets(env: Environment, pid: number): ReadonlyMap<string, number[]> {
  const sockets = new Map<string, number[]>()
  // The variables pass to children, which were given nothing.
  if (Number(env['LISTEN_PID']) !== pid) return sockets
  const count = Number(env['LISTEN_FDS'] ?? 0)
  const names = (env['LISTEN_FDNAMES'] ?? '').split(':')
  for (let index = 0; index < count; index += 1) {
    const name = names[index] ?? ''
    sockets.set(name, [...(sockets.get(name) ?? []), firstDescriptor + index])
  }
  return sockets
}

/** Those of a name server; undefined: it was given none. */
export function dnsSocketsOf(given: ReadonlyMap<string, readonly number[]>): GivenSockets | undefined {
  const named = (name: SocketName) => given.get(name) ?? []
  const sockets = { udp4: named('dns-udp'), udp6: named('dns-udp6'), tcp: named('dns-tcp') }
  return Object.values(sockets).every((some) => some.length === 0) ? undefined : sockets
}

export interface Systemd {
  /** Sends what systemd-notify takes: `--ready`, or a variable such as `WATCHDOG=1`. */
  notify(...args: string[]): Promise<void>
  /** Tells that the event loop turns, three times within the time after which systemd ends a silent process. */
  startWatchdog(): { stop(): void }
}

export function createSystemd(env: Environment, pid: number, log: Log): Systemd {
  const isListening = env['NOTIFY_SOCKET'] !== undefined
  // Node has no datagram sockets of Unix.
  const notify = async (...args: string[]): Promise<void> => {
    if (!isListening) return
    try {
      await promisify(execFile)('systemd-notify', [`--pid=${pid}`, ...args])
    } catch (error) {
      log.warn({ err: error }, 'systemd could not be told')
    }
  }
  return {
    notify,
    startWatchdog() {
      const withinMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000
      if (!isListening || withinMs === 0) return { stop: () => undefined }
      const timer = setInterval(() => void notify('WATCHDOG=1'), withinMs / 3)
      return { stop: () => clearInterval(timer) }
    },
  }
}
