/** The order of a self-hosted cluster, from what stands in the address and the secret that does not. */
import { SelfHostOrder } from '@atoll/contract/clusters'
import type { CreateSearch } from './create-search.ts'
import { type RestoreSource, restoreOf } from './step-props.ts'

export type ReachField = 'tunnelToken' | 'hostname' | 'address'

/** The order as the call takes it, without a name; `source`: what it is made of. */
export function selfHostOrder(
  { proxy, host }: CreateSearch,
  tunnelToken: string,
  source?: RestoreSource,
): SelfHostOrder {
  const reverseProxy = proxy ?? 'frp'
  return {
    clusterType: 'SelfHost',
    reverseProxy,
    ...(reverseProxy === 'none' && host && { address: host }),
    ...(reverseProxy === 'cloudflare' && { cloudflare: { tunnelToken, hostname: host ?? '' } }),
    ...(source && { restore: restoreOf(source) }),
  }
}

/** Which answers to 'How is it reached?' are missing or malformed, by the rules of the call itself. */
export function reachProblems(search: CreateSearch, tunnelToken: string): ReachField[] {
  const issues = SelfHostOrder.safeParse(selfHostOrder(search, tunnelToken)).error?.issues ?? []
  const fields = issues.map(({ path }) => path.at(-1))
  return (['tunnelToken', 'hostname', 'address'] as const).filter((field) => fields.includes(field))
}
