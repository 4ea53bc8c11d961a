/**
 * Forwarding between the edges of one deployment: a request whose agent is connected to another edge is passed on to
 * that one.
 */
import type http from 'node:http'
import type { IncomingMessage } from 'node:http'
import { agentRelayPath, relayProtocol } from '@atoll/contract/agents'
import { equalSecrets } from '../../platform/crypto.ts'
import type { Upstream } from './forward/forward-request.ts'
import { proofHeader } from './forward/forwarded-headers.ts'

export interface Peers {
  /**
   * The proof that an edge shows to another one; derived from the deployment's key, so it is the same in every process.
   */
  proof: string
  /** Where the others reach this process, which listens on `port`. */
  urlOf(port: number): string
  /**
   * Whether another edge sent this: a request that it passed on, which may not be passed on again, or a page of its own
   * in place of an answer, which is no traffic of the cluster.
   */
  proves(message: Pick<IncomingMessage, 'headers'>): boolean
  /** Headers that mark one of our pages in answer to `req`, so that the edge that passed it on recognizes it. */
  markPage(req: IncomingMessage): Record<string, string>
}

export function createPeers({
  proofs,
  peerUrl,
  host,
}: {
  /** The first is shown; each is taken. */
  proofs: readonly string[]
  peerUrl: string | undefined
  host: string
}): Peers {
  const [proof] = proofs
  if (proof === undefined) throw new Error('Edges without a proof would know nobody')
  const proves: Peers['proves'] = ({ headers }) => {
    const shown = headers[proofHeader]
    return typeof shown === 'string' && proofs.some((proof) => equalSecrets(shown, proof))
  }
  return {
    proof,
    urlOf: (port) => peerUrl ?? `http://${reachable(host)}:${port}`,
    proves,
    markPage: (req) => (proves(req) ? { [proofHeader]: proof } : {}),
  }
}

/** The other edge as the next hop, on connections that `agent` keeps. */
export function peerUpstream(edgeUrl: string, agent: http.Agent, proof: string): Upstream {
  const { hostname, port } = new URL(edgeUrl)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80, agent, headers: { [proofHeader]: proof } }
}

/** Whether an agent dials the relay; a visitor may ask for the same path, but not with this protocol. */
export function isRelayDial(req: IncomingMessage): boolean {
  return req.headers.upgrade?.toLowerCase() === relayProtocol && req.url === agentRelayPath
}

/** Where a listener on `host` is reached on this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
