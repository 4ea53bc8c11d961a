/** The one way these pages ask their server. It answers as `@atoll/contract/personal-server` says. */
import { Problem, type ProblemCode } from '@atoll/contract/personal-server'
import { readOpen } from '@atoll/contract/wire'
import type { z } from 'zod'

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
export function toProblem(answer: unknown): ApiProblem {
  const problem = readOpen(Problem, answer).data
  if (problem?.code === 'signedOut') announceSignedOut()
  // Whatever stands between us and the server (the edge) may answer in its own words: those are `unreachable`.
  return new ApiProblem(problem?.code ?? 'unreachable', problem?.retryAfterSeconds)
}

interface CallOptions {
  body?: unknown
  signal?: AbortSignal
}

/**
 * `schema` is that of the path's answer. A page that was opened before an update is older than its server: the answer
 * is read as the console reads those of the product.
 * @throws ApiProblem; an aborted call throws the signal's own reason
 */
export async function call<Schema extends z.ZodType>(
  schema: Schema,
  ...asked: Parameters<typeof ask>
): Promise<z.output<Schema>> {
  const response = await ask(...asked)
  const answer: unknown = await response.json().catch(() => asked[2]?.signal?.throwIfAborted())
  const read = readOpen(schema, answer)
  if (!read.success) throw new ApiProblem('serverError')
  return read.data
}

/** A call whose answer says nothing but that it succeeded. */
export async function tell(...asked: Parameters<typeof ask>): Promise<void> {
  await ask(...asked)
}

async function ask(method: string, path: string, { body, signal }: CallOptions = {}): Promise<Response> {
  const response = await send(path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal && { signal }),
  })
  if (response.ok) return response
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
  return toProblem(await response.json().catch(() => undefined))
}
