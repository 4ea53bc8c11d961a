import { createServer } from 'node:net'

/** `count` different ports of the loopback interface that are free right now. */
export async function findFreePorts(count: number): Promise<number[]> {
  // All are held open until the last is found, or the system could hand out one of them twice.
  const holders = await Promise.all(Array.from({ length: count }, () => holdPort()))
  await Promise.all(holders.map((holder) => holder.release()))
  return holders.map((holder) => holder.port)
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
