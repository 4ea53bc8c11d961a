import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign automatically (Linux: from 32768), so that no other process gets one by chance
 * between its choice and its use, or while its server is killed and started again.
 */
const [lowest, highest] = [16_000, 24_000]

/** The UDP port that marks a port as taken is so much higher: it stays bound while the port itself is used. */
const markDistance = highest - lowest

/**
 * `count` different ports of the loopback interface, free for TCP and UDP. They belong to this process while it lives:
 * other callers, in any process, get others.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = randomInt(lowest, highest)
    if (await reserve(port)) ports.push(port)
  }
  return ports
}

/** Marks the port as taken, for as long as this process lives; false where it is marked or in use. */
async function reserve(port: number): Promise<boolean> {
  const sockets: Socket[] = []
  try {
    const mark = await bindUdp(port + markDistance)
    sockets.push(mark)
    sockets.push(await bindUdp(port))
    const holder = await holdPort(port)
    await holder.release()
    mark.unref()
    sockets.shift()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  } finally {
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
  }
}

async function bindUdp(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind({ port, address: '127.0.0.1', exclusive: true })
  try {
    await once(socket, 'listening')
    return socket
  } catch (error) {
    socket.close()
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
