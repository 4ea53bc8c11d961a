import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A line to a server of this machine that can be cut: what is open breaks off without a word, and nothing new gets
 * through.
 */
export interface CuttableLine extends AsyncDisposable {
  port: number
  cut(): void
  mend(): void
}

export async function openLine(targetPort: number): Promise<CuttableLine> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(targetPort, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      // A broken line ends both sides; which error it was is of no interest here.
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP listener has one
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    cut,
    mend() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
