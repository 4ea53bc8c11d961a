/** Machines that say as much as their connections take, of what a server refuses, and dial again when they are cut. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { agentChannelPath, agentEnroll } from '@atoll/contract/agents'
import { createApiClient } from '@atoll/testkit'
import { WebSocket } from 'ws'
import { serveFlood } from './under-flood.ts'

export interface AgentFloodSetup {
  origin: string
  enrollTokens: string[]
}

const { origin, enrollTokens }: AgentFloodSetup = JSON.parse(process.argv[2] ?? '')
/** Measurements that are none are refused, and the channel goes on. */
const refused = JSON.stringify({ type: 'metrics', metrics: { at: 'never' } })
const agents: string[] = []
for (const enrollToken of enrollTokens) {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const { instanceId } = await createApiClient(origin).ask(agentEnroll, { enrollToken, tokenHash })
  agents.push(`Bearer ${instanceId}.${token}`)
}

let [sent, dials, isFlowing] = [0, 0, false]

async function flow(authorization: string): Promise<void> {
  while (isFlowing) {
    const socket = new WebSocket(origin.replace('http', 'ws') + agentChannelPath, { headers: { authorization } })
    dials += 1
    const over = Promise.race([once(socket, 'close'), once(socket, 'unexpected-response')])
    socket.on('error', () => undefined) // it is cut, or the dial is refused
    const isOpen = await Promise.race([once(socket, 'open').then(() => true), over.then(() => false)])
    while (isOpen && isFlowing && socket.readyState === WebSocket.OPEN) {
      await new Promise<void>((resolve) => {
        const handedOver = () => resolve()
        for (let n = 0; n < 99; n += 1) socket.send(refused, () => undefined)
        socket.send(refused, handedOver)
        sent += 100
        void over.then(handedOver)
      })
    }
    socket.terminate()
  }
}

let flowing: Promise<unknown> = Promise.resolve()
serveFlood({
  begin() {
    ;[sent, dials, isFlowing] = [0, 0, true]
    flowing = Promise.all(agents.map(flow))
  },
  async end() {
    isFlowing = false
    await Promise.race([flowing, new Promise((resolve) => setTimeout(resolve, 1000))])
    return `${sent} messages of ${agents.length} agents handed over, ${dials} dials`
  },
})
