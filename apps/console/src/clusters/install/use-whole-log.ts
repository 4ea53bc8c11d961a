import { clusterInstallLog } from '@atoll/contract/clusters'
import type { CallRequest } from '@atoll/contract/wire'
import { useCall } from '../../data/use-call.ts'

/**
 * `installed`, a cluster or an instance of it, with the whole log of its install; until that is there, and where it
 * cannot be had, with its last lines.
 */
export function useWholeLog<Installed extends { installLog: string }>(
  installed: Installed,
  of: CallRequest<typeof clusterInstallLog>,
): Installed {
  const { data } = useCall(clusterInstallLog, of)
  return data ? { ...installed, ...data } : installed
}
