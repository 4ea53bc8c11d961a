/** The one way these pages ask their server. It answers as `@atoll/contract/personal-server` says. */
import type { Problem, ProblemCode } from '@atoll/contract/personal-server'

/** A refusal, or `unreachable` when nobody answered. `code` is what a page translates. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'unreachable'
  /** With tooManyTries. */
  readonly retryAfterSeconds: number
  constructor(code: ProblemCode | 'unreachable', retryAfterSeconds = 0) {
    super(code)
    this.name = 'ApiProblem'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

let announceSignedOut = () => {}

/** `listener` is called when the server no longer knows this browser's session, whichever call found out. */
export function onSignedOut(listener: () => void): void {
  announceSignedOut = listener
}

/** A refusal as the server wrote it. */
export function toProblem(problem: Partial<Problem> | null | undefined): ApiProblem {
  if (problem?.code === 'signedOut') announceSignedOut()
  // Whatever stands between us and the server (the edge) may answer in its own words: those are `unreachable`.
  return new ApiProblem(problem?.code ?? 'unreachable', problem?.retryAfterSeconds)
}

interface CallOptions {
  body?: unknown
  signal?: AbortSignal
}

/**
 * `T` is what the contract documents for the path: page and server are one build, so their word for it is the same
 * type.
 * @throws ApiProblem; an aborted call throws the signal's own reason
 */
export async function call<T>(method: string, path: string, { body, signal }: CallOptions = {}): Promise<T> {
  const response = await send(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal && { signal }),
  })
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
  throw await readProblem(response)
}

/** The first `bytes` of a file as UTF-8; throws as `call` does. */
export async function callForText(path: string, bytes: number, signal: AbortSignal): Promise<string> {
  const response = await send(path, { headers: { Range: `bytes=0-${bytes - 1}` }, signal })
  if (response.status === 416) return '' // of an empty file there is no first byte
  if (!response.ok) throw await readProblem(response)
  // The cut may go through a character: what is incomplete at the end is left out.
  return new TextDecoder().decode(await response.arrayBuffer(), { stream: true })
}

async function send(path: string, init: RequestInit): Promise<Response> {
  return await fetch(path, { cache: 'no-store', credentials: 'same-origin', ...init }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new ApiProblem('unreachable')
  })
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined
  return toProblem(problem)
}
