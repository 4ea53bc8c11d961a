/**
 * `GET /v1/events`: server-sent events named `change`, one whenever an object the account may see changed
 * (design/api). Each carries its number as `id:`; who comes back with `Last-Event-ID` gets what it missed.
 * A stream ends when its session does: the end is announced on the account's feed, expiry by a timer, and after a gap
 * in the feed the session is looked up again. It also ends when the account's role changes: what it may receive
 * is decided when it is opened.
 */
import { type EventTopic, eventsPath } from '@atoll/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed, ChangeFilter, FeedItem } from '../platform/events/index.ts'
import { refuse } from '../platform/refusal.ts'
import { defineEndpoint } from './rates/define-endpoint.ts'
import { countAccount } from './rates/limit-requests.ts'
import type { Authenticate } from './request/authenticate-request.ts'
import { credentialsOf } from './request/credentials.ts'

export interface EventStreams {
  mount(app: FastifyInstance): void
  /** Ends every stream and refuses new ones; clients reconnect automatically, to another process. */
  closeAll(): void
}

interface EventStreamsOptions {
  feed: ChangeFeed
  authenticate: Authenticate
  /** A stream of `filter` began, or ended. */
  onOpened(filter: ChangeFilter): void
  onClosed(filter: ChangeFilter): void
}

/** Comments that keep proxies from taking a quiet stream for a dead one, ms. */
const heartbeatMs = 15_000
const mostStreamsPerAccount = 50
/** A reader that leaves this much unread is cut off; it connects again and goes on where it was. Bytes. */
const mostUnread = 256 * 1024
const longestTimerMs = 2 ** 31 - 1
/** Topics of other accounts' changes that an Admin also receives: those of objects that it may see. */
const adminTopics: readonly EventTopic[] = ['cluster', 'metrics']
/** Topics that staff receive, which belong to no account. */
const staffTopics: readonly EventTopic[] = ['operator']

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { feed, authenticate } = options
  const open = new Map<string, Set<() => void>>()
  let isClosing = false

  async function stream(request: FastifyRequest, reply: FastifyReply, begin: () => void): Promise<void> {
    const { userid: did, token } = credentialsOf(request)
    const { ip } = request
    const response = reply.raw
    const session = await authenticate(did, token, ip)
    const { userid } = session
    request.account = userid
    countAccount(request, reply, userid)
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
    const close = () => void response.end()
    /** The session may have ended, or mean something else now. */
    const recheck = () =>
      authenticate(did, token, ip).then((now) => {
        if (now.role !== session.role || now.staff !== session.staff) close()
      }, close)
    const send = (item: FeedItem) => {
      const change = item.ready
        ? { topic: 'hello', id: '', resync: item.resync }
        : { topic: item.topic, id: item.id === userid ? did : item.id }
      write(`id: ${item.seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`)
      if (item.ready) return
      if (item.topic === 'session' && item.id === session.sessionId) close()
      if (item.topic === 'account' && item.account === userid) void recheck()
    }
    const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
    const expiry = setTimeout(close, Math.min(session.expiresAt.getTime() - Date.now(), longestTimerMs))
    let unsubscribe: (() => void) | undefined
    const everybodys = [...(session.role === 'Admin' ? adminTopics : []), ...(session.staff ? staffTopics : [])]
    const filter: ChangeFilter = { account: userid, everybodys }
    streams.add(close)
    open.set(userid, streams)
    options.onOpened(filter)
    response.once('close', () => {
      unsubscribe?.()
      clearInterval(heartbeat)
      clearTimeout(expiry)
      streams.delete(close)
      if (streams.size === 0) open.delete(userid)
      options.onClosed(filter)
    })
    write('retry: 1000\n\n')
    try {
      unsubscribe = await feed.subscribe({
        filter,
        after: lastEventIdOf(request),
        publish(item) {
          send(item)
          // The end of the session may be in what is not known.
          if (item.ready && item.resync) void recheck()
        },
        onLost: close,
      })
    } catch (error) {
      request.log.warn({ err: error }, 'an event stream could not begin')
      return close()
    }
    // It may have closed meanwhile.
    if (response.destroyed || response.writableEnded) unsubscribe()
  }

  return {
    mount(app) {
      app.route({
        ...defineEndpoint({ method: 'GET', url: eventsPath, reach: 'account' }),
        handler: (request, reply) =>
          stream(request, reply, () => {
            reply.hijack()
            reply.raw.writeHead(200, {
              ...(reply.getHeaders() as Record<string, string>), // ours are all text
              'content-type': 'text/event-stream; charset=utf-8',
              'cache-control': 'no-store',
              'x-accel-buffering': 'no',
            })
          }),
      })
    },
    closeAll() {
      isClosing = true
      for (const streams of [...open.values()]) for (const close of [...streams]) close()
    },
  }
}

/**
 * The number of the last event that the client saw; undefined without the header, or when it does not look like one of
 * our numbers.
 */
function lastEventIdOf(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) return undefined
  return Number(header)
}
