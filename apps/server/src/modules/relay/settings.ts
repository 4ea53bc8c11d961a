/** Settings of how visitors get to hosts: our relay, or the operator's frps. */
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { HttpUrl, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const relaySettings = {
  ATOLL_RELAY_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which self-hosted machines dial the edge.',
    'ATOLL_EDGE_URL, or the host of ATOLL_ENROLL_URL with ATOLL_EDGE_PORT',
  ),
  ATOLL_FRPS_ADDR: setting(
    z
      .string()
      .regex(/^[a-zA-Z0-9.-]+:\d{1,5}$/, 'must be HOST:PORT')
      .optional(),
    undefined,
    'Your frps, as self-hosted machines reach it; with ATOLL_FRPS_URL it takes the place of our relay.',
    'none, our own relay is used',
  ),
  ATOLL_FRPS_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Scheme, subDomainHost and port at which visitors reach your frps, such as http://frp.example:8080.',
    'none',
  ),
  ATOLL_FRPS_TOKEN: secret(z.string().min(1).max(400).optional(), 'auth.token of your frps.', 'none'),
}

export interface Frps {
  host: string
  port: number
  token: string | undefined
  /** Where visitors reach the host with this label. */
  clusterUrl(label: string): string
}

interface Surroundings {
  edgeUrl: string | undefined
  edgePort: number
  enrollUrl: string
}

export function relayConfig(
  values: ValuesOf<typeof relaySettings>,
  { edgeUrl, edgePort, enrollUrl }: Surroundings,
): { relayUrl: string; frps: Frps | undefined } {
  return {
    /** Where hosts dial the edge: without a setting, under the name at which they find the API. */
    relayUrl: values.ATOLL_RELAY_URL ?? edgeUrl ?? `http://${new URL(enrollUrl).hostname}:${edgePort}`,
    /** Undefined: our own relay carries what `reverseProxy: frp` asks for. */
    frps: toFrps(values),
  }
}

function toFrps({
  ATOLL_FRPS_ADDR: address,
  ATOLL_FRPS_URL: url,
  ATOLL_FRPS_TOKEN: token,
}: ValuesOf<typeof relaySettings>): Frps | undefined {
  if (address === undefined && url === undefined) return undefined
  if (address === undefined || url === undefined)
    throw new ConfigError('ATOLL_FRPS_ADDR and ATOLL_FRPS_URL: one is of no use without the other')
  const visitors = new URL(url)
  return {
    host: address.slice(0, address.lastIndexOf(':')),
    port: Number(address.slice(address.lastIndexOf(':') + 1)),
    token,
    clusterUrl: (label) => `${visitors.protocol}//${label}.${visitors.host}`,
  }
}
