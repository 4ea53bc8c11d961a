import { type EnrollCommand, enrollTokenLifetimeMs, type InstanceRole, selfHostCommand } from '@atoll/contract/clusters'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

type Role = (typeof InstanceRole)['_output']

/**
 * The place of the newest command: in this page's memory alone, since the server answers it once and the token in it is
 * a secret. Only a press asks for it, because asking makes a new one.
 */
export function enrollCommandQuery(userid: string, clusterId: string, role: Role) {
  return queryOptions({
    queryKey: [userid, 'enrollCommand', { clusterId, role }],
    queryFn: (): EnrollCommand | null => null,
    enabled: false,
    initialData: null,
    gcTime: enrollTokenLifetimeMs,
  })
}

export interface EnrollCommandState {
  /** Undefined: answered to another page, or before a reload. */
  command: EnrollCommand | undefined
  renew: () => void
  isRenewing: boolean
  error: Error | null
  /** A host has used it up. */
  forget: () => void
}

/** The command that brings a host into the cluster, and a way to get a fresh one. */
export function useEnrollCommand(clusterId: string, role: Role): EnrollCommandState {
  const userid = useCurrentAccount()?.userid ?? ''
  const client = useQueryClient()
  const query = enrollCommandQuery(userid, clusterId, role)
  const { data } = useQuery(query)
  const renewal = useCallMutation(selfHostCommand, {
    onSuccess: (answer) => void client.setQueryData(query.queryKey, answer),
  })
  return {
    command: data ?? undefined,
    renew: () => renewal.mutate({ clusterId, role }),
    forget: () => void client.setQueryData(query.queryKey, null),
    isRenewing: renewal.isPending,
    error: renewal.error,
  }
}
