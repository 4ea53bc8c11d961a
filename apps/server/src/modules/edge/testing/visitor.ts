/** A visitor of the edge: requests with any Host, since names of clusters do not resolve on a test machine. */
import http, { type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Visit {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export type Visitor = (visit?: Visit) => Promise<Answer>

/**
 * Asks `port` for `host`, from the loopback address `from`; rejects when the connection breaks before the answer is
 * whole.
 */
export function createVisitor(port: number, host: string, from = '127.0.0.1'): Visitor {
  return async ({ method = 'GET', path = '/', headers = {}, body } = {}) => {
    const request = http.request({
      host: '127.0.0.1',
      localAddress: from,
      port,
      method,
      path,
      headers: { host, ...headers },
      agent: false,
    })
    const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', reject)
    })
    request.end(body)
    const answer = await answered
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
  }
}

/** `visitor` with JSON bodies, and with the cookie that signing in gave. */
export async function askJson(visitor: Visitor, method: string, path: string, body?: object, cookie = '') {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(cookie && { cookie }) }
  const answer = await visitor({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
  return { ...answer, json: answer.body.length > 0 ? JSON.parse(answer.body.toString()) : undefined }
}
