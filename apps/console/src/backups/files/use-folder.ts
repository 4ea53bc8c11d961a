import type { BackupMachine, LookEntry, LookPage } from '@atoll/contract/backups'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { askLook, LookFailure } from './ask-look.ts'
import { makeVisitKey, type VisitKey } from './visit-key.ts'

export interface Folder {
  entries: LookEntry[] | undefined
  total: number
  truncated: boolean
  error: Error | null
  needsPassword: boolean
  hasMore: boolean
  isLoadingMore: boolean
  more: () => void
  retry: () => void
}

interface FolderAsked {
  backupId: string
  snapshotId: string
  /** As `askLook` takes it. */
  clusterId: string | undefined
  machineKey: BackupMachine['key'] | undefined
  path: string
  find: string
  entered: EnteredPassword
}

/** One that the machine does not keep; `attempt` counts them, from 0 for none. */
export interface EnteredPassword {
  password: string
  attempt: number
}

interface Visit {
  id: number
  /** Made with the first question: a browser that cannot encrypt here fails that, not the page. */
  key?: Promise<VisitKey>
  /** A password has opened the backup: the machine keeps it from then on. */
  isOpen: boolean
}

/** Visits of this tab so far: each has pages of its own, which only its key opens. */
let visits = 0

/** The entries of a folder, or those found below it. Names stay in memory, and are dropped when the page is left. */
export function useFolder({ backupId, snapshotId, clusterId, machineKey, path, find, entered }: FolderAsked): Folder {
  const [visit] = useState((): Visit => {
    visits += 1
    return { id: visits, isOpen: false }
  })
  useEffect(() => () => queryClient.removeQueries({ queryKey: ['look', visit.id] }), [visit])
  const query = useInfiniteQuery({
    queryKey: ['look', visit.id, snapshotId, clusterId, path, find, entered.attempt],
    queryFn: async ({ pageParam, signal }): Promise<LookPage> => {
      if (!machineKey) throw new LookFailure('', false)
      const { password } = entered
      const query = { path, find, offset: pageParam, ...(password !== '' && !visit.isOpen && { password }) }
      visit.key ??= makeVisitKey()
      const page = await askLook({ backupId, snapshotId, clusterId, machineKey, query }, await visit.key, signal)
      visit.isOpen = true
      return page
    },
    initialPageParam: 0,
    getNextPageParam: ({ offset, entries, total, truncated }) => {
      const next = offset + entries.length
      return entries.length === 0 || next >= total || (truncated && next >= mostFound) ? undefined : next
    },
    enabled: machineKey != null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { data, error } = query
  const last = data?.pages.at(-1)
  return {
    entries: data?.pages.flatMap(({ entries }) => entries),
    total: last?.total ?? 0,
    truncated: last?.truncated ?? false,
    error,
    needsPassword: error instanceof LookFailure && error.needsPassword,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}

/** So many of what is found the machine keeps. */
const mostFound = 1000
