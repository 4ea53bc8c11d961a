import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign automatically (Linux: from 32768), so that no other process gets one by chance
 * between its choice and its use, or while its server is killed and started again.
 */
const [lowest, highest] = [20_000, 32_000]

/**
 * `count` different free ports of the loopback interface. They belong to this process while it lives: other callers, in
 * any process, get others.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(lowest, highest)
    if (await reserve(port)) ports.push(port)
  }
  return ports
}

/** The UDP ports taken by this process. */
const marks = new Map<number, Socket>()

/** The same for who listens on UDP too, and at once: nothing marks them any more. */
export async function findFreeUdpPorts(count: number): Promise<number[]> {
  const ports = await findFreePorts(count)
  for (const port of ports) {
    const mark = marks.get(port)
    if (mark) await new Promise<void>((resolve) => mark.close(() => resolve()))
    marks.delete(port)
  }
  return ports
}

/** Takes the UDP port of that number, which nothing here uses: the mark by which others pass it over. */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket('udp4')
  try {
    mark.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(mark, 'listening')
    mark.unref()
    marks.set(port, mark)
    const holder = await holdPort(port)
    await holder.release()
    return true
  } catch (error) {
    marks.delete(port)
    mark.close()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

/** Listens on `port` (0: any free one) so that nobody else can, until released. */
export async function holdPort(port = 0): Promise<{ port: number; release(): Promise<void> }> {
  // Nobody is to be kept waiting by a port that is only held.
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return {
    port: address.port,
    release: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
