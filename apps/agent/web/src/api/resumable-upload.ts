/**
 * A large file by tus 1.0: cut by the network or a closed page it goes on where it was. The library tus-js-client would
 * be 20 kB on the page for what is three requests here.
 */
import { backoffMs } from '@atoll/contract/wire'
import { ApiProblem, toProblem } from './call.ts'

export interface UploadOptions {
  path: string
  file: File
  /** Replace a file of this name; otherwise its presence is refused as `exists`. */
  replace: boolean
  signal: AbortSignal
  /** Bytes sent so far. */
  onProgress(sent: number): void
}

const address = '/api/drive/uploads'
const version = { 'Tus-Resumable': '1.0.0' }
/** Failures in a row, without a byte between them, after which a person is told. */
const mostFailures = 8
const waits = { firstMs: 1000, longestMs: 30_000 }

/** @throws ApiProblem, or the signal's reason when aborted */
export async function uploadInParts(options: UploadOptions, bounds = waits): Promise<void> {
  const { path, file, replace, signal, onProgress } = options
  const key = `upload ${path} ${file.size} ${file.lastModified} ${replace}`
  let failures = 0
  let furthest = 0
  const progress = (sent: number) => {
    if (sent > furthest) failures = 0
    furthest = Math.max(furthest, sent)
    onProgress(sent)
  }
  for (;;)
    try {
      await goOn(key, { ...options, onProgress: progress })
      return keep(key, null)
    } catch (error) {
      // Replacing a file that exists is another upload; this one would keep its room for a day.
      if (signal.aborted || (error instanceof ApiProblem && error.code === 'exists')) giveUp(key)
      failures += 1
      if (!isCut(error) || failures >= mostFailures) throw error
      await pause(backoffMs(failures, bounds), signal)
    }
}

const isCut = (error: unknown) => error instanceof ApiProblem && error.code === 'unreachable'

/** Sends what the server does not have yet, all of it where it has forgotten the upload. */
async function goOn(key: string, options: UploadOptions): Promise<void> {
  const known = recall(key)
  const offset = known === null ? undefined : await findOffset(known, options.signal)
  const place = offset === undefined || known === null ? await begin(options) : known
  keep(key, place)
  options.onProgress(offset ?? 0)
  // The last answer may be what was lost.
  if (offset !== options.file.size || offset === undefined) await send(place, offset ?? 0, options)
}

/** Undefined when the server no longer knows the upload. */
async function findOffset(place: string, signal: AbortSignal): Promise<number | undefined> {
  const response = await ask(place, { method: 'HEAD', signal })
  if (response.status === 404) return undefined
  if (!response.ok) throw await problemOf(response)
  const offset = Number(response.headers.get('Upload-Offset') ?? Number.NaN)
  return Number.isSafeInteger(offset) ? offset : undefined
}

async function begin({ path, file, replace, signal }: UploadOptions): Promise<string> {
  const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(path)))
  const response = await ask(address, {
    method: 'POST',
    headers: {
      'Upload-Length': String(file.size),
      'Upload-Metadata': `path ${encoded}`,
      ...(!replace && { 'If-None-Match': '*' }),
    },
    signal,
  })
  const place = response.headers.get('Location')
  if (!response.ok || !place?.startsWith(`${address}?`)) throw await problemOf(response)
  return place
}

function send(place: string, offset: number, { file, signal, onProgress }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PATCH', place)
    request.responseType = 'json'
    request.setRequestHeader('Tus-Resumable', version['Tus-Resumable'])
    request.setRequestHeader('Upload-Offset', String(offset))
    request.setRequestHeader('Content-Type', 'application/offset+octet-stream')
    request.upload.onprogress = (event) => onProgress(offset + event.loaded)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve()
      reject(toProblem(request.response))
    }
    request.onerror = () => reject(new ApiProblem('unreachable'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file.slice(offset))
  })
}

async function ask(place: string, init: RequestInit): Promise<Response> {
  const headers = { ...version, ...init.headers }
  return await fetch(place, { cache: 'no-store', ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new ApiProblem('unreachable')
  })
}

async function problemOf(response: Response): Promise<ApiProblem> {
  return toProblem(await response.json().catch(() => undefined))
}

/** Nobody goes on with it. An upload that cannot be ended now ends after a day. */
function giveUp(key: string): void {
  const place = recall(key)
  keep(key, null)
  if (place !== null) void ask(place, { method: 'DELETE' }).catch(() => undefined)
}

/** Rejects with the signal's reason when aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** The address of the unfinished upload, also of one that a closed page began. */
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // storage is blocked: only this page goes on
  }
}

function keep(key: string, place: string | null): void {
  try {
    if (place === null) localStorage.removeItem(key)
    else localStorage.setItem(key, place)
  } catch {
    // storage is blocked
  }
}
