/**
 * A control plane that does nothing but let one agent in and tell it to install: what remains is the time the agent
 * process itself needs from its start to a finished install.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentCommand, AgentMessage, agentChannelPath, agentEnroll } from '@atoll/contract'
import { agentEntryPoint } from '@atoll/testkit'
import { WebSocketServer } from 'ws'

const clusterId = 'cl_bench000000000000000'
const instanceId = 'in_bench000000000000000'

export interface AgentAlone extends AsyncDisposable {
  /** ms from spawn to the report that every step is done. */
  measure(): Promise<number>
}

/** `steps` and `version` as a real install names them. */
export async function prepareAgentAlone(version: string, steps: string[]): Promise<AgentAlone> {
  let whenInstalled: () => void = () => undefined
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = request.url === agentEnroll.path ? { code: 200, message: '', data: { clusterId, instanceId } } : {}
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')

  return {
    async measure() {
      const home = mkdtempSync(join(tmpdir(), 'atoll-bench-agent-'))
      const installed = new Promise<void>((resolve) => {
        whenInstalled = resolve
      })
      const begun = performance.now()
      // The same program and settings as the process provider gives it, without the provider.
      const agent = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', agentEntryPoint], {
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          ATOLL_AGENT_HOME: home,
          ATOLL_AGENT_INSTANCE: instanceId,
          ATOLL_AGENT_CONTROL_URL: `http://127.0.0.1:${address.port}`,
          ATOLL_AGENT_ENROLL_TOKEN: 'bench-enrol-token-0123456789',
          ATOLL_AGENT_CPU_COUNT: '2',
          ATOLL_AGENT_MEMORY_MIB: '4096',
          ATOLL_AGENT_DISK_MIB: '40960',
        },
      })
      const ended = once(agent, 'exit')
      const early = ended.then(([code]) => Promise.reject(new Error(`the agent ended with ${code}`)))
      await Promise.race([installed, early])
      const ms = performance.now() - begun
      early.catch(() => undefined) // it is ended on purpose now
      agent.kill('SIGKILL')
      await ended
      rmSync(home, { recursive: true, force: true })
      return ms
    },
    async [Symbol.asyncDispose]() {
      channel.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
