import { type Session, sessionList, sessionRevoke, sessionRevokeAll } from '@atoll/contract/accounts'
import type { CallInput } from '@atoll/contract/wire'
import { useMutation } from '@tanstack/react-query'
import { askAnew } from '../data/ask-anew.ts'
import { callApi } from '../data/client.ts'
import { queryKeys } from '../data/queries.ts'
import { useLoad } from '../data/use-load.ts'

const keyOf = (userid: string) => [...queryKeys.account(userid), 'sessions'] as const

/** Where the account is signed in; asked for again whenever one of its sessions ends. */
export function useSessions(userid: string) {
  return useLoad({
    queryKey: keyOf(userid),
    queryFn: ({ signal }): Promise<Session[]> => callApi(sessionList, {}, signal),
  })
}

/** Ends one session of the account. `onEnded` comes also when the list heard of it first, and its row is gone. */
export function useRevoke(userid: string, onEnded: () => void) {
  return useMutation({
    mutationFn: (body: CallInput<typeof sessionRevoke>) => callApi(sessionRevoke, body),
    async onSuccess() {
      await askAnew({ queryKey: keyOf(userid) })
      onEnded()
    },
  })
}

/** Ends every session of the account but this one; `onEnded` as above, with how many those were. */
export function useRevokeOthers(userid: string, onEnded: (revoked: number) => void) {
  return useMutation({
    mutationFn: () => callApi(sessionRevokeAll, {}),
    async onSuccess({ revoked }) {
      await askAnew({ queryKey: keyOf(userid) })
      onEnded(revoked)
    },
  })
}
