/** An agent of this process whose owner has activated it, and a signed-in visitor. */
import http, { type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { hashPassword } from '../activation/password-hash.ts'
import { type Agent, startAgent } from '../app/agent.ts'
import { readConfig } from '../kernel/config.ts'
import { createLog } from '../kernel/log.ts'
import { config, createTestFolder, seedHome, stateWith, unlinkedEnvironment } from './seeded-home.ts'

export const password = 'a long enough secret'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the API answers.
  json: any
}

export interface Visit {
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: Buffer | string | object
  /** Without the session's cookie. */
  asStranger?: boolean
}

export interface ActiveAgent extends AsyncDisposable {
  agent: Agent
  home: string
  /** Asks for `METHOD /path`. */
  ask(call: string, visit?: Visit): Promise<Answer>
}

/** `in`: the home, instead of a new temporary one. */
export async function startActiveAgent(
  options: { environment?: Record<string, string>; in?: string } = {},
): Promise<ActiveAgent> {
  const folder = await createTestFolder()
  const home = options.in ?? folder.path
  await seedHome(
    home,
    stateWith({
      config,
      release: { version: '1.0.0', steps: [] },
      account: { passwordHash: await hashPassword(password), activatedAt: 0 },
    }),
  )
  const environment = { ATOLL_AGENT_HOME: home, ...unlinkedEnvironment, ...options.environment }
  const agent = await startAgent(readConfig(environment), { log: createLog({ write: () => undefined }) })
  let cookie = ''

  async function ask(call: string, { headers = {}, body, asStranger = false }: Visit = {}): Promise<Answer> {
    const [method = '', path = ''] = call.split(' ')
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
    const request = http.request({
      host: '127.0.0.1',
      port: agent.port,
      method,
      path,
      agent: false,
      headers: {
        host: 'reef.atoll.test',
        ...(cookie && !asStranger && { cookie }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', reject)
    })
    request.end(isJson ? JSON.stringify(body) : body)
    const answer = await answered
    const bytes = await buffer(answer)
    const hasJson = answer.headers['content-type']?.startsWith('application/json') && bytes.length > 0
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: bytes,
      json: hasJson ? JSON.parse(bytes.toString()) : undefined,
    }
  }

  const signedIn = await ask('POST /api/session', { body: { name: 'reef', password } })
  cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return {
    agent,
    home,
    ask,
    async [Symbol.asyncDispose]() {
      await agent.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}
