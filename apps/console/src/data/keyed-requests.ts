import type { Call, CallData } from '@atoll/contract/wire'
import { callAgain, isUnanswered, type Keyed, type Waiting } from './call-again.ts'
import { CallFailure, isSilent } from './call-failure.ts'
import { newRequestId } from './request-id.ts'

export type SendKeyed = <C extends Call>(
  call: C,
  body: Omit<Keyed<C>, 'requestId'>,
  waiting: Waiting,
) => Promise<CallData<C>>

/**
 * `callAgain` that gives a request its key and keeps it for as long as it is not known whether the server did it:
 * asked for again, it is done once. Anything else that is asked for is another request, and so is one that was
 * answered, asked for again.
 */
export function createKeyedRequests(): SendKeyed {
  let sent: { text: string; requestId: string } | undefined
  return async function send<C extends Call>(
    call: C,
    body: Omit<Keyed<C>, 'requestId'>,
    waiting: Waiting,
  ): Promise<CallData<C>> {
    const text = JSON.stringify(body)
    if (sent?.text !== text) sent = { text, requestId: newRequestId() }
    const request = sent
    try {
      // With the key it is again what it was without.
      const answer = await callAgain(call, { ...body, requestId: request.requestId } as unknown as Keyed<C>, waiting)
      if (sent === request) sent = undefined
      return answer
    } catch (error) {
      // Signed out meanwhile, it says nothing of a call before that was not answered.
      const isOpen = isUnanswered(error) || (error instanceof CallFailure && isSilent(error))
      if (sent === request && !isOpen) sent = undefined
      throw error
    }
  }
}
