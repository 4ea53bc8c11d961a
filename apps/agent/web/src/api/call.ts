/** The one way these pages ask their server. It answers as `apps/agent/src/http/api.ts` says. */
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

interface CallOptions {
  body?: unknown
  signal?: AbortSignal
}

/**
 * `T` is what `api.ts` documents for the path: page and server are one build, so their word for it is the same type.
 * @throws ApiProblem; an aborted call throws the signal's own reason
 */
export async function call<T>(method: string, path: string, { body, signal }: CallOptions = {}): Promise<T> {
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiProblem('unreachable')
  })
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T
  throw await readProblem(response)
}

/** Whatever stands between us and the server (the edge) may answer in its own words: those are `unreachable`. */
async function readProblem(response: Response): Promise<ApiProblem> {
  const problem = (await response.json().catch(() => undefined)) as Partial<Problem> | undefined
  return new ApiProblem(problem?.code ?? 'unreachable', problem?.retryAfterSeconds)
}
