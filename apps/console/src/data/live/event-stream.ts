/** One connection to `GET /v1/events`, read as it arrives. Reconnecting is `live-changes.ts`. */
import { ChangeEvent, codes, eventsPath } from '@atoll/contract/wire'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { apiBase } from '../../config/runtime-config.ts'
import { currentLocale } from '../../locales/language.ts'
import type { Account } from '../../session/account.ts'
import { readAnswer } from '../answer.ts'

/** The session is over: there is nothing to reconnect with. */
export class StreamSignedOut extends Error {}

export interface StreamOptions {
  account: Account
  signal: AbortSignal
  /** Number of the last event that was seen; the server sends all that came after it. */
  lastId: string | undefined
  /** `id` is the event's number; undefined from a server that does not number. */
  onChange: (change: ChangeEvent, id: string | undefined) => void
  /** Anything arrived, if only a sign of life. */
  onSign: () => void
}

/**
 * Reads events until the connection ends or `signal` aborts; throws when it fails. Lines that are no event are left
 * out.
 */
export async function readEventStream({ account, signal, lastId, onChange, onSign }: StreamOptions): Promise<void> {
  const response = await fetch(apiBase(currentLocale()) + eventsPath, {
    headers: {
      Accept: 'text/event-stream',
      userid: account.userid,
      token: account.token,
      ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
    },
    cache: 'no-store',
    signal,
  })
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
    const answer = readAnswer(response.status, await response.text())
    if (!answer.ok && answer.code === codes.signedOut) throw new StreamSignedOut()
    throw new Error(`events: HTTP ${response.status}`)
  }
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment: onSign }))
  const reader = events.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    onSign()
    const change = parseChange(next.value.data)
    if (change) onChange(change, next.value.id)
  }
}

function parseChange(data: string): ChangeEvent | undefined {
  try {
    return ChangeEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
