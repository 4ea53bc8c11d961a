/**
 * A control plane that only enrolls agents and sends them `install`: what remains is the time the agent itself needs
 * from its start to a finished install.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AgentCommand, AgentMessage, agentChannelPath, agentEnroll } from '@atoll/contract/agents'
import { WebSocketServer } from 'ws'

export const bareInstance = {
  clusterId: 'cl_bench000000000000000',
  instanceId: 'in_bench000000000000000',
  enrollToken: 'bench-enrol-token-0123456789',
} as const

export interface BareControlPlane extends AsyncDisposable {
  port: number
  /** Resolves when the next agent that connects has done every step of its install. */
  nextInstall(): Promise<void>
}

/** `steps` and `version` as a real install names them. */
export async function startBareControlPlane(
  version: string,
  steps: string[],
  host = '127.0.0.1',
): Promise<BareControlPlane> {
  const { clusterId, instanceId } = bareInstance
  let whenInstalled: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const data = { clusterId, instanceId }
      const answer = request.url === agentEnroll.path ? { code: 200, message: '', data } : {}
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  const channel = new WebSocketServer({ server, path: agentChannelPath })
  channel.on('connection', (socket) => {
    const command = (message: AgentCommand) => socket.send(JSON.stringify(message))
    let isAsked = false
    socket.on('message', (data) => {
      const message = AgentMessage.parse(JSON.parse(String(data)))
      if (message.type !== 'state') return
      if (!isAsked) {
        isAsked = true
        const owner = {
          did: 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2',
          terminusName: 'bench@atoll.test',
        }
        const publicUrl = 'http://bench.atoll.localhost'
        const common = { clusterId, instanceId, clusterName: 'bench', owner, publicUrl, product: 'Atoll' }
        command({ type: 'config', ...common, now: Date.now() })
        command({ type: 'install', taskId: 'bench', version, steps })
      }
      if (message.install.state === 'failed') throw new Error(`the install failed: ${message.install.reason}`)
      if (message.install.state === 'done') whenInstalled()
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')

  return {
    port: address.port,
    nextInstall: () =>
      new Promise<void>((resolve) => {
        whenInstalled = resolve
      }),
    async [Symbol.asyncDispose]() {
      channel.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
