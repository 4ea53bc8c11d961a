/** A resolver that asks one name server and follows an alias from one of its zones into another, as resolvers do. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, type Question } from 'dns-packet'

const longestChain = 8

export async function startFollower(serverPort: number): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  async function askServer(question: Question): Promise<{ answers: Answer[]; bytes: Buffer }> {
    const asking = createSocket('udp4')
    try {
      asking.send(encode({ type: 'query', id: 1, questions: [question] }), serverPort, '127.0.0.1')
      const [bytes] = await once(asking, 'message', { signal: AbortSignal.timeout(2000) })
      return { answers: decode(bytes).answers ?? [], bytes }
    } finally {
      asking.close()
    }
  }

  socket.on('message', async (bytes, peer) => {
    const { id = 0, questions = [] } = decode(bytes)
    const [question] = questions
    if (!question) return
    try {
      const first = await askServer(question)
      const answers = [...first.answers]
      for (let step = 0; step < longestChain; step += 1) {
        const last = answers.at(-1)
        if (last?.type !== 'CNAME' || question.type === 'CNAME') break
        answers.push(...(await askServer({ ...question, name: last.data })).answers)
      }
      // Without an alias its own word stands, NXDOMAIN too.
      const reply =
        answers.length === first.answers.length
          ? Buffer.from(first.bytes)
          : encode({ type: 'response', id, flags: 0x180, questions, answers })
      reply.writeUInt16BE(id, 0)
      socket.send(reply, peer.port, peer.address)
    } catch (error) {
      // No answer came in time, so none is passed on.
      if (!(error instanceof Error && error.name === 'AbortError')) throw error
    }
  })
  return { port: socket.address().port, close: () => socket.close() }
}
