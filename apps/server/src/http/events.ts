/**
 * `GET /v1/events`: server-sent events named `change`, one whenever an object of the account changed (design/api).
 * A stream ends when its session does: the end is announced on the account's feed, expiry by a timer, and after a gap
 * in the feed the session is looked up again.
 */
import type { ServerResponse } from 'node:http'
import { type ChangeEvent, eventsPath, syncCookieName } from '@atoll/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../platform/events/index.ts'
import type { Authenticate } from './calls.ts'
import { refuse } from './refusal.ts'

export interface EventStreams {
  mount(app: FastifyInstance): void
  /** Ends every stream and opens no more; clients connect again by themselves, elsewhere. */
  closeAll(): void
}

interface EventStreamsOptions {
  feed: ChangeFeed
  authenticate: Authenticate
  onOpened(): void
  onClosed(): void
}

/** Comments that keep proxies from taking a quiet stream for a dead one, ms. */
const heartbeatMs = 15_000
const mostStreamsPerAccount = 50
/** A reader that leaves this much unread is cut off; it connects again and asks anew. Bytes. */
const mostUnread = 256 * 1024
const longestTimerMs = 2 ** 31 - 1

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { feed, authenticate } = options
  const open = new Map<string, Set<() => void>>()
  let isClosing = false

  async function stream(request: FastifyRequest, response: ServerResponse, begin: () => void): Promise<void> {
    const { userid, token } = credentialsOf(request)
    const session = await authenticate(userid, token)
    // From here to `streams.add` nothing waits: two streams opened at once must find the same set.
    const streams = open.get(userid) ?? new Set()
    if (streams.size >= mostStreamsPerAccount) refuse('tooManyRequests', { seconds: heartbeatMs / 1000 })
    // A client that left while it was looked up has had its 'close' already: nothing would end this stream.
    if (isClosing || response.destroyed) refuse('unavailable', { what: 'The event stream' })

    begin()
    const write = (text: string) => {
      // Between the end and 'close' changes still arrive.
      if (response.writableEnded) return
      response.write(text)
      if (response.writableLength > mostUnread) response.destroy()
    }
    const send = ({ topic, id }: ChangeEvent) => write(`event: change\ndata: ${JSON.stringify({ topic, id })}\n\n`)
    const close = () => response.end()
    const recheck = () => authenticate(userid, token).then(() => undefined, close)
    const unsubscribe = feed.subscribe(userid, (change) => {
      send(change)
      if (change.topic === 'session' && change.id === session.sessionId) close()
      // After a gap in the feed: the end of the session may have been in it.
      if (change.topic === 'hello') void recheck()
    })
    const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
    const expiry = setTimeout(close, Math.min(session.expiresAt.getTime() - Date.now(), longestTimerMs))
    streams.add(close)
    open.set(userid, streams)
    options.onOpened()
    response.once('close', () => {
      unsubscribe()
      clearInterval(heartbeat)
      clearTimeout(expiry)
      streams.delete(close)
      if (streams.size === 0) open.delete(userid)
      options.onClosed()
    })
    write('retry: 1000\n\n')
    send({ topic: 'hello', id: '' })
    // The session may have ended between the check and the subscription.
    await recheck()
  }

  return {
    mount(app) {
      app.get(eventsPath, (request, reply) =>
        stream(request, reply.raw, () => {
          reply.hijack()
          reply.raw.writeHead(200, {
            ...(reply.getHeaders() as Record<string, string>), // ours are all text
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
          })
        }),
      )
    },
    closeAll() {
      isClosing = true
      for (const streams of [...open.values()]) for (const close of [...streams]) close()
    },
  }
}

/** Headers, as calls have them; or the `syncToken` cookie with `?userid=`, for a browser's EventSource. */
function credentialsOf(request: FastifyRequest): { userid: string; token: string } {
  const { userid, token } = request.headers
  if (typeof userid === 'string' && typeof token === 'string') return { userid, token }
  const cookie = (request.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(`${syncCookieName}=`))
  const query = request.query as Record<string, unknown> // Fastify's own parser gives a flat object
  const named = typeof query['userid'] === 'string' ? query['userid'] : ''
  try {
    return { userid: named, token: decodeURIComponent(cookie?.slice(syncCookieName.length + 1) ?? '') }
  } catch {
    // A cookie that is no percent-encoded text is no token of ours.
    return refuse('signedOut')
  }
}
