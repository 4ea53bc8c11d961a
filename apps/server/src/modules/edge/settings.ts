/** Settings of how visitors reach clusters. */
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Count, Hostname, HttpUrl, List, Port, setting, type ValuesOf } from '../../platform/settings/setting.ts'

const OwnHost = z.string().transform((text, ctx) => {
  const [, name = '', host = '', port = ''] =
    /^([a-z0-9][a-z0-9.-]*)=([a-z0-9.-]+|\[[0-9a-f:]+\]):(\d{1,5})$/.exec(text) ?? []
  if (name !== '' && Number(port) > 0 && Number(port) < 65_536)
    return { name, host: host.replace(/[[\]]/g, ''), port: Number(port) }
  ctx.addIssue({ code: 'custom', message: 'must look like console.example=127.0.0.1:4800' })
  return z.NEVER
})

export const edgeSettings = {
  ATOLL_EDGE_PORT: setting(Port, '4802', 'Port on which clusters are reached by name.'),
  ATOLL_EDGE_DOMAIN: setting(Hostname, 'atoll.localhost', 'Clusters answer at http://NAME.DOMAIN:EDGE_PORT.'),
  ATOLL_EDGE_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Scheme and port of cluster addresses when a proxy stands before the edge, such as https://atoll.example.',
    'http://EDGE_DOMAIN:EDGE_PORT',
  ),
  ATOLL_EDGE_PEER_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which other edges of this deployment reach this one, past any proxy.',
    'http://ATOLL_HOST:ATOLL_EDGE_PORT',
  ),
  ATOLL_EDGE_OWN_HOSTS: setting(
    List.pipe(z.array(OwnHost)).optional(),
    undefined,
    'Hosts of this deployment for which the edge ends TLS, each with what answers behind it, such as console.example=127.0.0.1:4800. With them it has a certificate for clusters, too; for ATOLL_EDGE_TLS_PORT.',
    'none; a proxy in front of it has their certificates',
  ),
  ATOLL_EDGE_VISITOR_REQUESTS: setting(
    Count(1, 100_000),
    '200',
    'Requests and WebSockets that one visitor may have open at one cluster; an IPv6 network of /64 is one visitor.',
  ),
  ATOLL_EDGE_BODY_RATE: setting(
    Count(0, 1_000_000),
    '500',
    'Lowest rate of an upload to a cluster, bytes a second over each half minute; 0: no limit.',
  ),
  ATOLL_EDGE_ANSWER_TIMEOUT: setting(
    Count(1, 86_400),
    '120',
    'Seconds that a cluster may take to begin its answer; after that the visitor gets an error page.',
  ),
}

/** `isHttps`: the edge itself speaks HTTPS for hosts of customers' domains. */
export function edgeConfig(values: ValuesOf<typeof edgeSettings>, { isHttps }: { isHttps: boolean }) {
  const { ATOLL_EDGE_URL: edgeUrl, ATOLL_EDGE_DOMAIN: edgeDomain, ATOLL_EDGE_PORT: edgePort } = values
  const edge = new URL(edgeUrl ?? `http://${edgeDomain}:${edgePort}`)
  if (edgeUrl !== undefined && edge.hostname !== edgeDomain)
    throw new ConfigError(
      `ATOLL_EDGE_URL: its host is ${edge.hostname}, but ATOLL_EDGE_DOMAIN is ${edgeDomain}; make them the same`,
    )
  const ownHosts = values.ATOLL_EDGE_OWN_HOSTS ?? []
  if (ownHosts.length > 0 && !isHttps)
    throw new ConfigError('ATOLL_EDGE_OWN_HOSTS: needs ATOLL_EDGE_TLS_PORT, the port of HTTPS')
  return {
    edgePort,
    /** By host, what answers behind the edge; empty: a proxy stands before it. */
    edgeOwnHosts: new Map(ownHosts.map(({ name, ...behind }) => [name, behind])) as ReadonlyMap<
      string,
      { host: string; port: number }
    >,
    edgeDomain,
    /** Undefined: where the edge listens. */
    edgePeerUrl: values.ATOLL_EDGE_PEER_URL,
    /** Requests and upgraded connections, each visitor and cluster. */
    edgeVisitorRequests: values.ATOLL_EDGE_VISITOR_REQUESTS,
    /** The least that a body at the edge must bring over each window. */
    edgeBodyRate: { bytesPerSecond: values.ATOLL_EDGE_BODY_RATE, windowMs: 30_000 },
    edgeAnswerMs: values.ATOLL_EDGE_ANSWER_TIMEOUT * 1000,
    /** Where visitors reach the cluster with this label, such as `http://reef.atoll.localhost:4802`. */
    clusterUrl: (label: string) => `${edge.protocol}//${label}.${edge.host}`,
    /** The same for a host of a customer's domain; the world's port 443 leads to the edge where that speaks HTTPS. */
    customUrl: (host: string) =>
      isHttps ? `https://${host}` : `${edge.protocol}//${host}${edge.port && `:${edge.port}`}`,
  }
}
