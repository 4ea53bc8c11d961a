import type { Resource } from '@atoll/contract/clusters'
import { useQuery } from '@tanstack/react-query'
import { initQuery } from '../../data/queries.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/** The version's title in the catalogue, as it was ordered by; its number where it is no longer offered. */
export function useVersionTitle({ version }: Resource): string | null {
  const userid = useCurrentAccount()?.userid ?? ''
  const offered = useQuery(initQuery(userid)).data?.instanceInfo.versions
  return offered?.find((known) => known.version === version)?.title ?? version
}
