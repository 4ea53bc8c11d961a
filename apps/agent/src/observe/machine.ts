/** The machine's resources, for an agent that has the whole machine. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import { availableParallelism, hostname, totalmem } from 'node:os'
import type { Machine } from '@atoll/contract/agents'

const bytesPerMiB = 1024 * 1024

/** Measures the machine whose disk `folder` is on; `controlUrl`: whom it reports to. */
export async function readMachine(folder: string, controlUrl: string): Promise<Machine> {
  const { blocks, bsize } = await statfs(folder)
  return {
    hostname: hostname().slice(0, 253),
    cpuCoreCount: availableParallelism(),
    memoryMiB: toMiB(Math.min(totalmem(), memoryLimit())),
    diskMiB: toMiB(blocks * bsize),
    address: await ownAddressTowards(controlUrl),
  }
}

/** Of a container's cgroup; Infinity without one. */
function memoryLimit(): number {
  return process.constrainedMemory() || Number.POSITIVE_INFINITY
}

function toMiB(bytes: number): number {
  return Math.max(1, Math.floor(bytes / bytesPerMiB))
}

/** The address that the kernel would send from. Nothing is sent: connecting a datagram socket only asks the routes. */
async function ownAddressTowards(url: string): Promise<string | null> {
  const { hostname: host, port, protocol } = new URL(url)
  const literal = host.replace(/^\[|\]$/g, '')
  const socket = createSocket(literal.includes(':') ? 'udp6' : 'udp4')
  try {
    const connected = once(socket, 'connect')
    socket.connect(Number(port) || (protocol === 'https:' ? 443 : 80), literal)
    await connected
    return socket.address().address
  } catch {
    return null // no route now, or no name: the control plane sees an address of its own accord
  } finally {
    socket.close()
  }
}
