/** Hosts of the deployment itself (console, wallet, vault), for which the edge stands in the place of a proxy. */
import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { namesManyHosts } from '../../http/request/malformed-request.ts'
import { type ForwardOptions, forwardRequest } from './forward/forward-request.ts'
import { forwardUpgrade } from './forward/forward-upgrade.ts'
import { requestedHost } from './forward/forwarded-headers.ts'
import type { BodyRate } from './limits/body-rate.ts'
import type { EdgeFault } from './pages/edge-page.ts'

interface Config {
  /** By host, what answers behind the edge; left out, there are none. */
  edgeOwnHosts?: ReadonlyMap<string, { host: string; port: number }>
  edgeBodyRate: BodyRate
  edgeAnswerMs: number
  trustProxy: number
}

export function createOwnHosts(config: Config, agent: Agent) {
  const hosts: NonNullable<Config['edgeOwnHosts']> = config.edgeOwnHosts ?? new Map()

  function find(req: IncomingMessage): ForwardOptions | undefined {
    const host = requestedHost(req)
    const behind = host !== undefined && !namesManyHosts(req) && req.url?.startsWith('/') ? hosts.get(host) : undefined
    if (host === undefined || !behind) return undefined
    // Nothing of it is a customer's: nobody's traffic is counted.
    const uncounted = { count: () => undefined, isOurPage: () => true }
    return { upstream: { ...behind, agent }, clusterHost: host, trustedProxies: config.trustProxy, ...uncounted }
  }

  return {
    has: (host: string) => hosts.has(host),
    isEmpty: hosts.size === 0,
    /**
     * Resolves with the fault to show to the visitor, if they were not answered; undefined at once if the host is not
     * ours.
     */
    forward(req: IncomingMessage, res: ServerResponse): Promise<EdgeFault | undefined> | undefined {
      const own = find(req)
      return own && carry(req, res, own)
    },
    upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<EdgeFault | undefined> | undefined {
      const own = find(req)
      return own && join(req, socket, head, own)
    },
  }

  async function carry(req: IncomingMessage, res: ServerResponse, own: ForwardOptions) {
    const { edgeBodyRate: bodyRate, edgeAnswerMs: answerMs } = config
    const { outcome } = await forwardRequest(req, res, { ...own, bodyRate, answerMs })
    return outcome === 'answered' ? undefined : outcome === 'tooSlow' ? 'slow' : 'silent'
  }

  async function join(req: IncomingMessage, socket: Duplex, head: Buffer, own: ForwardOptions) {
    const { outcome } = await forwardUpgrade(req, socket, head, { ...own, answerMs: config.edgeAnswerMs })
    return outcome === 'answered' ? undefined : 'silent'
  }
}
