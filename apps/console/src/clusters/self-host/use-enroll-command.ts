import { type EnrollCommand, enrollTokenLifetimeMs, type InstanceRole, selfHostCommand } from '@atoll/contract/clusters'
import { hashKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createKeyedRequests, type SendKeyed } from '../../data/keyed-requests.ts'
import { queryKeys } from '../../data/queries.ts'
import { useChange } from '../../data/use-change.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

type Role = (typeof InstanceRole)['_output']

/**
 * Where the command that the server told last is kept: in this page's memory alone, since it is told once and the
 * token in it is a secret. Nothing asks for it by itself, because asking makes a new one.
 */
export function enrollCommandQuery(userid: string, clusterId: string, role: Role) {
  return queryOptions({
    queryKey: [...queryKeys.account(userid), 'enrollCommand', clusterId, role],
    queryFn: (): EnrollCommand | null => null,
    enabled: false,
    initialData: null,
    gcTime: enrollTokenLifetimeMs,
  })
}

/**
 * By account, cluster and role: asked for again after its answer was lost, on whatever page, it is the same command.
 */
const requests = new Map<string, SendKeyed>()

function requestsOf(name: string): SendKeyed {
  const known = requests.get(name) ?? createKeyedRequests()
  requests.set(name, known)
  return known
}

export interface EnrollCommandState {
  /** Undefined: told to another page, or before a reload. */
  command: EnrollCommand | undefined
  renew: () => void
  isRenewing: boolean
  error: Error | null
  /** A machine has used it up. */
  forget: () => void
}

/** The command that brings a machine into the cluster, and a way to get a fresh one. */
export function useEnrollCommand(clusterId: string, role: Role): EnrollCommandState {
  const userid = useCurrentAccount()?.userid ?? ''
  const client = useQueryClient()
  const query = enrollCommandQuery(userid, clusterId, role)
  const { data } = useQuery(query)
  const renewal = useChange(selfHostCommand, { clusterId, role }, clusterId, {
    requests: requestsOf(hashKey(query.queryKey)),
    async onAnswer(answer) {
      client.setQueryData(query.queryKey, answer)
    },
  })
  return {
    command: data ?? undefined,
    renew: () => renewal.mutate({}),
    forget: () => void client.setQueryData(query.queryKey, null),
    isRenewing: renewal.isPending,
    error: renewal.error,
  }
}
