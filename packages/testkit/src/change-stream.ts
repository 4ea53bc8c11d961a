import { ChangeEvent, eventsPath } from '@atoll/contract/wire'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Credentials } from './api-client.ts'

export interface ChangeStream extends AsyncDisposable {
  /** Events that arrived so far, oldest first, `hello` included. */
  readonly events: ChangeEvent[]
  /** The number of the last event, as `Last-Event-ID`. */
  readonly lastId: string
  /** Resolves when the server ends the stream, with the error if it was cut. */
  readonly ended: Promise<unknown>
  close(): Promise<void>
}

/** Opens `GET /v1/events` as the console does, going on after `lastId` if given, and returns after its `hello`. */
export async function openChangeStream(
  origin: string,
  credentials: Credentials,
  lastId?: string,
): Promise<ChangeStream> {
  const abort = new AbortController()
  const response = await fetch(`${origin}${eventsPath}`, {
    headers: {
      ...credentials,
      accept: 'text/event-stream',
      ...(lastId !== undefined && { 'last-event-id': lastId }),
    },
    signal: abort.signal,
  })
  if (!response.ok || !response.body) throw new Error(`events: HTTP ${response.status}`)
  const events: ChangeEvent[] = []
  let last = lastId ?? ''
  const hello = Promise.withResolvers<'hello'>()
  const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const read = async (): Promise<unknown> => {
    try {
      for await (const message of messages) {
        if (message.event !== 'change') continue
        last = message.id ?? last
        events.push(ChangeEvent.parse(JSON.parse(message.data)))
        hello.resolve('hello')
      }
      return undefined
    } catch (error) {
      return error
    }
  }
  const ended = read()
  const first = await Promise.race([hello.promise, ended])
  if (first !== 'hello') throw new Error('the event stream ended before its hello', { cause: first })
  const close = async () => {
    abort.abort()
    await ended
  }
  return {
    events,
    get lastId() {
      return last
    },
    ended,
    close,
    [Symbol.asyncDispose]: close,
  }
}
