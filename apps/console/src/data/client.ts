/** The one place that talks to the product API. Answers are read by `answer.ts` and checked against the contract. */
import { type Call, type CallData, type CallInput, needsSession, readOpen } from '@atoll/contract/wire'
import { apiBase, noteServerTime } from '../config/runtime-config.ts'
import { currentLocale } from '../locales/language.ts'
import { type Account, credentialsOf } from '../session/account.ts'
import { currentAccount, lockedPage } from '../session/account-store.ts'
import { readAnswer } from './answer.ts'
import { anySignal } from './any-signal.ts'
import { CallFailure } from './call-failure.ts'
import { formBody } from './form-body.ts'
import { announceSignedOut } from './signed-out.ts'
import { callTimeoutMs, readWhole, type WholeResponse } from './whole-response.ts'

/**
 * Calls `call` as `caller`, or as the account whose page it is; throws `CallFailure`. A 506 also starts signing in
 * again (spec §8). An answer that comes when the page has become another account's is dropped: the call fails without
 * a word.
 */
export async function callApi<C extends Call>(
  call: C,
  body: CallInput<C>,
  signal?: AbortSignal,
  caller?: Account,
): Promise<CallData<C>> {
  const locale = currentLocale()
  const account = needsSession(call.reach) ? (caller ?? accountOfPage(call)) : undefined
  const askedAt = Date.now()
  const limit = AbortSignal.timeout(callTimeoutMs)
  const answered = fetch(apiBase(locale) + call.path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Accept-Language': locale,
      ...(account && credentialsOf(account)),
    },
    // Every body in the contract is an object.
    body: formBody(body as Record<string, unknown>),
    signal: signal ? anySignal([signal, limit]) : limit,
  })
  return await readAsked(call, { answered: answered.then(readWhole), askedAt, account, signal, follows: !caller })
}

/** A call that is under way. */
export interface Asked {
  answered: Promise<WholeResponse>
  /** This device's clock, ms. */
  askedAt: number
  account: Account | undefined
  /** Ends it early; what it throws then is no failure of the call. */
  signal?: AbortSignal | undefined
  /** Whether its answer is for the page of `account` alone. */
  follows: boolean
}

/** The answer to a call that is under way; fails as `callApi` does. */
export async function readAsked<C extends Call>(call: C, asked: Asked): Promise<CallData<C>> {
  const { account, askedAt, signal } = asked
  let whole: WholeResponse
  try {
    whole = await asked.answered
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallFailure({ kind: 'network', path: call.path, cause })
  }

  const { response, text } = whole
  noteServerTime(response.headers.get('date'), askedAt)
  if (account && asked.follows) requireSameAccount(account, call)
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const answer = readAnswer(status, text)
  if (!answer.ok) {
    if (answer.kind === 'signedOut') announceSignedOut(account)
    throw new CallFailure({ ...answer, status, path: call.path, requestId })
  }
  const data = readOpen(call.data, answer.data)
  if (!data.success) throw new CallFailure({ kind: 'refused', status, path: call.path, requestId, cause: data.error })
  // The parsed `call.data` is by definition its output.
  return data.data as CallData<C>
}

/** The calling account; a locked page calls nothing. */
function accountOfPage(call: Call): Account | undefined {
  if (lockedPage()) throw new CallFailure({ kind: 'silent', path: call.path })
  return currentAccount()
}

function requireSameAccount(account: Account, call: Call): void {
  if (currentAccount()?.userid !== account.userid) throw new CallFailure({ kind: 'silent', path: call.path })
}
