/**
 * A host without a machine: it enrolls, reports that it is installed and activated, and keeps the agent's own channel
 * and relay connection, which reconnect after every kill. Its answers to visitors are as long as the visitors ask.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import http, { type Server } from 'node:http'
import { type AgentMetrics, type AgentState, agentEnroll, agentProtocol } from '@atoll/contract/agents'
import { createCluster } from '@atoll/contract/clusters'
import { type ApiClient, createApiClient } from '@atoll/testkit'
import { openChannel } from '../../../apps/agent/src/link/channel.ts'
import { hashToken } from '../../../apps/agent/src/link/identity.ts'
import { openRelayLink } from '../../../apps/agent/src/network/relay-link.ts'

export interface SimulatedHost {
  clusterId: string
  /** Bytes that it says a tunnel of its owner's own carried; none of it passes our edges. */
  tunnelled(): { in: number; out: number }
  /** Its tunnel carries nothing more. */
  rest(): void
  close(): Promise<void>
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const tunnelToken = Buffer.from(JSON.stringify({ a: 'soak', t: randomUUID(), s: 'c29haw==' })).toString('base64')

/** Answers for visitors of all hosts: `/N` is answered with N bytes once the body is there. */
export function createAnswers(): Server {
  return http.createServer((req, res) => {
    req.resume()
    req.once('end', () => res.end(Buffer.alloc(Number(req.url?.slice(1)), 'x')))
  })
}

/** Orders a cluster on a host of one's own as `owner`, and is that host. `kind`: how visitors get to it. */
export async function enrollHost(
  owner: ApiClient,
  at: { controlUrl: string; edgeUrl: string; answers: Server },
  kind: 'frp' | 'cloudflare',
): Promise<SimulatedHost> {
  const cloudflare = kind === 'cloudflare' && { cloudflare: { tunnelToken, hostname: 'soak.example' } }
  const order = { clusterType: 'SelfHost' as const, reverseProxy: kind, ...cloudflare }
  const { enrollToken = '' } = await owner.ask(createCluster, order, { body: 'json' })
  const token = randomBytes(32).toString('base64url')
  const spent = { enrollToken, tokenHash: hashToken(token) }
  const place = await createApiClient(owner.origin).ask(agentEnroll, spent, { body: 'json' })

  const bootId = randomUUID()
  let installTask: string | null = null
  let isMoving = kind === 'cloudflare'
  const moved = { in: 0, out: 0 }
  const readState = (): AgentState => ({
    type: 'state',
    protocol: agentProtocol,
    agentVersion: '1.0.0',
    bootId,
    port: 4000,
    oneTimePassword: null,
    install: { state: installTask === null ? 'waiting' : 'done', taskId: installTask, reason: null, steps: [] },
    osActive: installTask !== null,
    machine: { hostname: 'soak', cpuCoreCount: 2, memoryMiB: 8192, diskMiB: 40_960, address: '127.0.0.1' },
    network: { state: 'connected', reason: null, port: null },
    tasks: [],
  })
  const measure = async (): Promise<AgentMetrics> => {
    if (isMoving) {
      moved.in += Math.floor(Math.random() * 100_000)
      moved.out += Math.floor(Math.random() * 1_000_000)
    }
    const size = { memoryUsed: 2e9, memoryTotal: 8e9, diskUsed: 5e9, diskTotal: 4e10 }
    return { at: Date.now(), cpu: Math.random(), ...size, netIn: moved.in, netOut: moved.out }
  }
  const enrolled = { ...place, token }
  const boot = { id: randomUUID(), previous: null, hostName: 'soak' }
  const onRefused = (refusal: string) => {
    throw new Error(`a machine of this soak was refused: ${refusal}`)
  }
  const channel = openChannel({
    addresses: () => [at.controlUrl],
    onReached: () => undefined,
    enrolled,
    boot,
    log: silent,
    readState,
    measure,
    onCommand(said) {
      if (said.type !== 'install') return
      installTask = said.taskId
      channel.reportState()
    },
    onRefused,
  })
  const relay =
    kind === 'frp' &&
    openRelayLink({
      url: at.edgeUrl,
      enrolled,
      boot,
      log: silent,
      report: () => undefined,
      onRefused,
      accept: (connection) => at.answers.emit('connection', connection),
    })
  return {
    clusterId: place.clusterId,
    tunnelled: () => ({ ...moved }),
    rest() {
      isMoving = false
    },
    async close() {
      await channel.close()
      if (relay) await relay.close()
    },
  }
}
