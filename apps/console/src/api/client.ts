/** The one place that talks to the product API. Answers are read by `answer.ts` and checked against the contract. */
import type { Call, CallData, CallInput } from '@atoll/contract'
import type { Account } from '../accounts/account.ts'
import { currentAccount } from '../accounts/account-store.ts'
import { apiBase } from '../config/runtime-config.ts'
import { currentLocale } from '../i18n/language.ts'
import { readAnswer } from './answer.ts'
import { CallFailure } from './call-failure.ts'
import { formBody } from './form-body.ts'
import { announceSignedOut } from './signed-out.ts'

/** How long a call may take, ms. */
const timeoutMs = 30_000

/** Calls `call` as `caller`; throws `CallFailure`. A 506 also starts signing in again (spec §8). */
export async function callApi<C extends Call>(
  call: C,
  body: CallInput<C>,
  signal?: AbortSignal,
  caller: Account | undefined = currentAccount(),
): Promise<CallData<C>> {
  const locale = currentLocale()
  const account = call.auth === 'account' ? caller : undefined
  const limit = AbortSignal.timeout(timeoutMs)
  let response: Response
  let text: string
  try {
    response = await fetch(apiBase(locale) + call.path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Accept-Language': locale,
        ...(account && { userid: account.userid, token: account.token }),
      },
      // Every body in the contract is an object.
      body: formBody(body as Record<string, unknown>),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallFailure({ kind: 'network', path: call.path, cause })
  }

  const requestId = response.headers.get('x-request-id') ?? undefined
  const answer = readAnswer(response.status, text)
  if (!answer.ok) {
    if (answer.kind === 'signedOut') announceSignedOut(account)
    throw new CallFailure({ ...answer, path: call.path, requestId })
  }
  const data = call.data.safeParse(answer.data)
  if (!data.success) throw new CallFailure({ kind: 'refused', path: call.path, requestId, cause: data.error })
  // What `call.data` parsed is by definition its output.
  return data.data as CallData<C>
}
