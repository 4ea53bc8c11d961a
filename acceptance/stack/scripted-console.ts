/**
 * The built console with its real policy, on a server that answers by script: tests see every situation at once, and
 * what a broken server does. Answers are checked against the contract, so that a script cannot say what the server
 * would not.
 */
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { RuntimeConfig } from '@atoll/contract/identity'
import { type Call, codes, eventsPath } from '@atoll/contract/wire'
import { repositoryRoot } from '@atoll/testkit'
import { fastify } from 'fastify'
import { consolePages } from '../../apps/server/src/http/pages/page-paths.ts'
import { serveSpa } from '../../apps/server/src/http/pages/spa.ts'
import type { Answers } from './samples/sample-account.ts'

/** The text that a reader of the page gets instead of an answer. */
export type Breakdown = (path: string) => { status: number; body: string } | undefined

export interface ScriptedConsole extends AsyncDisposable {
  /** Empty until it listens. */
  url: string
  /** Paths of the calls so far, oldest first. */
  readonly asked: string[]
  answers: Answers
  /** Other answers for some accounts, by their userid. */
  readonly answersOf: Map<string, Answers>
  /** Makes of an answer what a newer server may say, which the contract does not have; undefined: nothing. */
  newer: ((call: Call, data: unknown) => unknown) | undefined
  /** Comes before the answers. */
  breakdown: Breakdown | undefined
  /** The server's clock, ms. */
  now: () => number
  /** The promise that an answer waits for; undefined: it comes at once. */
  wait: ((path: string, userid: string | undefined) => Promise<void> | undefined) | undefined
  listen(): Promise<void>
  /** Ends every stream of changes, as a server does whose session was revoked; browsers ask for another. */
  endStreams(): void
}

export const envelope = (code: number, message = '', data?: unknown) => JSON.stringify({ code, message, data })

export async function startScriptedConsole(answers: Answers): Promise<ScriptedConsole> {
  const server = createScriptedConsole(answers)
  await server.listen()
  return server
}

/** One that does not listen yet. */
export function createScriptedConsole(answers: Answers): ScriptedConsole {
  const app = fastify({ forceCloseConnections: true })
  const asked: string[] = []
  const streams = new Set<ServerResponse>()
  const script: Pick<ScriptedConsole, 'answers' | 'answersOf' | 'newer' | 'breakdown' | 'now' | 'wait'> = {
    answers,
    answersOf: new Map(),
    newer: undefined,
    breakdown: undefined,
    now: Date.now,
    wait: undefined,
  }
  // Every body arrives as its text; the console sends forms.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.get('/config.json', async () => configAt(server.url, script.now()))
  // An account that is not stored has no name.
  app.get('/get_name_by_did/*', async () => ({ code: codes.notFound, message: 'No name is bound to this DID.' }))
  app.get(eventsPath, async (_request, reply) => {
    const broken = script.breakdown?.(eventsPath)
    if (broken) return await reply.code(broken.status).type('application/json').send(broken.body)
    reply.hijack()
    streams.add(reply.raw)
    reply.raw.on('close', () => streams.delete(reply.raw))
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    reply.raw.write(`id: 1\nevent: change\ndata: ${JSON.stringify({ topic: 'hello', id: '' })}\n\n`)
  })
  for (const prefix of ['/v1/*', '/v2/*']) {
    app.post(prefix, async (request, reply) => {
      const path = request.url
      asked.push(path)
      reply.type('application/json').header('x-request-id', `scripted-${asked.length}`)
      const broken = script.breakdown?.(path)
      if (broken) return await reply.code(broken.status).send(broken.body)
      const userid = request.headers['userid'] as string | undefined // sent once
      await script.wait?.(path, userid)
      const known = script.answersOf.get(userid ?? '') ?? script.answers
      return answerOf(known, path, new URLSearchParams(String(request.body ?? '')), script.newer)
    })
  }
  const server: ScriptedConsole = Object.assign(script, {
    url: '',
    asked,
    async listen() {
      const dist = join(repositoryRoot, 'apps/console/dist')
      await serveSpa(app, {
        dist,
        pages: consolePages,
        connect: [],
        scanner: false,
        config: () => configAt(server.url, script.now()),
      })
      server.url = await app.listen({ port: 0, host: '127.0.0.1' })
    },
    endStreams() {
      for (const stream of streams) stream.end()
    },
    [Symbol.asyncDispose]: () => app.close(),
  })
  return server
}

/** Written into each page, as the real server does. */
function configAt(origin: string, now: number): RuntimeConfig {
  const hosts = { global: origin, china: origin }
  const wallet = { wallet: 'LarePass', walletUrl: `${origin}/wallet`, formerWalletUrls: [], requireMatchNumber: false }
  const support = { support: 'mailto:help@lagoon.example' }
  const links = { ...support, terms: `${origin}/terms`, privacy: `${origin}/privacy` }
  return { links, product: 'Atoll', version: '1.2.3+44a5744c1d2e', ...wallet, hosts, outbox: true, now }
}

function answerOf(
  answers: Answers,
  path: string,
  fields: URLSearchParams,
  newer: ScriptedConsole['newer'] = (_, data) => data,
): string {
  const entry = [...answers].find(([call]: [Call, unknown]) => call.path.replace(/\/$/, '') === path.replace(/\/$/, ''))
  if (!entry) return envelope(codes.notFound, `the script has no answer to ${path}`)
  const [call, answer] = entry
  const data: unknown = typeof answer === 'function' ? answer(fields) : answer
  if (data === undefined) return envelope(codes.notFound, 'There is no such thing.')
  return envelope(codes.ok, 'success', newer(call, call.data.parse(data)))
}
