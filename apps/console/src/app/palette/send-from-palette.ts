import type { Call, CallData } from '@atoll/contract/wire'
import type { CallFailure } from '../../data/call-failure.ts'
import { createKeyedRequests } from '../../data/keyed-requests.ts'
import type { Send } from '../../data/use-call-again.ts'
import { showFailure, showNotice } from '../../kit/toast/show-notice.ts'
import { currentAccount } from '../../session/account-store.ts'

const underWay = new Map<string, Promise<unknown>>()

/**
 * Requests of the palette, which is gone before they are answered, and belongs to no page that could be left. A line
 * that is cut is waited out and told in a notice; closing that gives the request up. Chosen again meanwhile, it is the
 * same request.
 */
export const sendFromPalette: Send = async (call, body) => {
  const name = JSON.stringify([currentAccount()?.userid, call.path, body])
  const earlier = underWay.get(name)
  if (earlier) return (await earlier) as CallData<typeof call> // what is under way to the same path answers the same call
  const answer = sendWithNotice(call, body)
  underWay.set(name, answer)
  try {
    return await answer
  } finally {
    underWay.delete(name)
  }
}

async function sendWithNotice<C extends Call>(
  call: C,
  body: Parameters<typeof sendFromPalette<C>>[1],
): Promise<CallData<C>> {
  const patience = new AbortController()
  let close: (() => void) | undefined
  function onTrouble({ message }: CallFailure) {
    close ??= showNotice({ kind: 'failure', text: message, onClose: () => patience.abort() })
  }
  try {
    return await createKeyedRequests()(call, body, { onTrouble, signal: patience.signal })
  } catch (error) {
    if (!patience.signal.aborted && error instanceof Error) showFailure(error)
    throw error
  } finally {
    close?.()
  }
}
