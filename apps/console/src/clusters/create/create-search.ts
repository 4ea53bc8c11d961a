import { ReverseProxy } from '@atoll/contract/clusters'

const createSteps = ['flavour', 'hardware', 'version', 'reach', 'review'] as const
export type CreateStep = (typeof createSteps)[number]

/** Choices so far; they are in the address, so that back, reload and a link keep them. Secrets never are. */
export interface CreateSearch {
  step?: CreateStep
  /** Absent: Cloud. */
  flavour?: 'SelfHost'
  cloud?: string
  region?: string
  offering?: string
  version?: string
  name?: string
  /** The code of a coupon that goes with the order. */
  coupon?: string
  /** How visitors reach a self-hosted cluster; absent: through the relay. */
  proxy?: Exclude<ReverseProxy, 'frp'>
  /** For Cloudflare: the host name; for a direct way: the address. */
  host?: string
}

const fields = ['cloud', 'region', 'offering', 'version', 'name', 'coupon'] as const
const longestHost = 260

/** Reads the search of `/create`; what is unknown or too long is dropped. */
export function createSearch(search: Record<string, unknown>): CreateSearch {
  const chosen: CreateSearch = {}
  const step = createSteps.find((known) => known === search.step)
  if (step) chosen.step = step
  if (search.flavour === 'SelfHost') chosen.flavour = 'SelfHost'
  const proxy = ReverseProxy.safeParse(search.proxy).data
  if (proxy && proxy !== 'frp') chosen.proxy = proxy
  if (typeof search.host === 'string' && search.host !== '' && search.host.length <= longestHost)
    chosen.host = search.host
  for (const field of fields) {
    const value = search[field]
    // The router reads a name such as 2026 as a number.
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text !== '' && text.length <= 64) chosen[field] = text
  }
  return chosen
}
