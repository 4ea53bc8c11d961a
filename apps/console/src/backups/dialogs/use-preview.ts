import { backupRetention, type KeepRules } from '@atoll/contract/backups'
import type { CallData } from '@atoll/contract/wire'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '../../data/use-call.ts'

/** From the last key to the question, ms. */
const restMs = 250

export interface Preview {
  /** Of other rules until `isCurrent`. */
  data: CallData<typeof backupRetention> | undefined
  isCurrent: boolean
  error: Error | null
  refetch: () => Promise<unknown>
}

/** Snapshots that `keep` would retain and remove now; undefined: the rules are invalid. */
export function usePreview(backupId: string, keep: KeepRules | undefined): Preview {
  const [asked] = useDebouncedValue(keep, restMs)
  const { data, error, refetch, isPlaceholderData } = useCall(
    backupRetention,
    { backupId, ...(asked && { keep: asked }) },
    { placeholderData: keepPreviousData, enabled: asked !== undefined },
  )
  const isCurrent = data !== undefined && !isPlaceholderData && JSON.stringify(asked) === JSON.stringify(keep)
  return { data, isCurrent, error, refetch }
}
