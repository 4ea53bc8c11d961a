import type { Resource } from '@atoll/contract/clusters'
import { useInit } from '../../data/home-queries.ts'

/** The version's title in the catalogue, as it was ordered by; its number where it is no longer offered. */
export function useVersionTitle({ version }: Resource): string | null {
  const offered = useInit().data?.instanceInfo.versions
  return offered?.find((known) => known.version === version)?.title ?? version
}
