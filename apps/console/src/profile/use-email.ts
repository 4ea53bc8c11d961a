import {
  type EmailBinding,
  emailCodeCancel,
  emailRemove,
  emailShow,
  sendSetEmailCode,
  verifyBindEmail,
} from '@atoll/contract/accounts'
import type { CallInput } from '@atoll/contract/wire'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askAnew } from '../data/ask-anew.ts'
import { callApi } from '../data/client.ts'
import { queryKeys } from '../data/queries.ts'
import { useLoad } from '../data/use-load.ts'
import { editAccount } from '../session/account-store.ts'

const keyOf = (userid: string) => [...queryKeys.account(userid), 'email'] as const

/**
 * The linked address, and the one whose code is awaited. How its mail fares is asked for again when the server tells
 * of it.
 */
export function useEmail(userid: string) {
  return useLoad({
    queryKey: keyOf(userid),
    queryFn: ({ signal }): Promise<EmailBinding> => callApi(emailShow, {}, signal),
  })
}

/**
 * What changes the address. Each call answers with the whole of it, which is shown at once, here and in the account,
 * and asked for again: the mail may have been sent, and told of, before the answer was there.
 */
export function useEmailChanges(userid: string) {
  const client = useQueryClient()
  const ask = () => void askAnew({ queryKey: keyOf(userid) })
  const onSuccess = (binding: EmailBinding) => {
    client.setQueryData<EmailBinding>(keyOf(userid), binding)
    editAccount(userid, { email: binding.email })
    ask()
  }
  // A wrong code costs a try: how many are left is known by the server.
  const onError = ask
  return {
    send: useMutation({
      mutationFn: (body: CallInput<typeof sendSetEmailCode>) => callApi(sendSetEmailCode, body),
      onSuccess,
    }),
    verify: useMutation({
      mutationFn: (body: CallInput<typeof verifyBindEmail>) => callApi(verifyBindEmail, body),
      onSuccess,
      onError,
    }),
    cancel: useMutation({ mutationFn: () => callApi(emailCodeCancel, {}), onSuccess }),
    remove: useMutation({ mutationFn: () => callApi(emailRemove, {}), onSuccess }),
  }
}

export type EmailChanges = ReturnType<typeof useEmailChanges>
