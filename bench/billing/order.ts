import { type CloudOrder, resourceInitNew } from '@atoll/contract/clusters'
import type { ApiClient } from '@atoll/testkit'

/** An order for what the catalogue offers first. */
export async function composeOrder(api: ApiClient): Promise<CloudOrder> {
  const { instanceInfo } = await api.ask(resourceInitNew, {})
  const [offering] = instanceInfo.data
  const [version] = instanceInfo.versions
  if (!offering || !version) throw new Error('the catalogue has nothing on sale')
  const { cloudName, regionId, name } = offering
  return { clusterType: 'Cloud', cloudName, regionId, offering: name, version: version.version }
}
