import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { LxdSettings } from '../../../catalog/lxd-settings.ts'
import { createLxdClient, type LxdClient } from './lxd-client.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A complete answer of LXD. */
const sync = (metadata: unknown) => JSON.stringify({ type: 'sync', status_code: 200, metadata })
const refusal = (error_code: number, error: string) => JSON.stringify({ type: 'error', error_code, error })
const begun = JSON.stringify({ type: 'async', operation: '/1.0/operations/one', metadata: {} })

describe('the client of LXD', () => {
  let folder: string
  let socket: string
  let server: Server
  let client: LxdClient
  let answer: Answer
  const asked: string[] = []

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atoll-lxd-client-'))
    socket = join(folder, 'socket')
    asked.length = 0
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      request.resume().on('end', () => answer(request, response))
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    open(socket)
  })
  afterEach(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })

  function open(...endpoints: string[]): void {
    client = createLxdClient(LxdSettings.parse({ endpoints, bridge: 'br0' }))
  }

  test('waits for an operation although the question is answered "still running" many times', async () => {
    let left = 3
    answer = ({ url }, response) => {
      if (!url?.includes('/wait')) return response.end(begun)
      left -= 1
      response.end(sync({ status_code: left > 0 ? 103 : 200, err: '' }))
    }
    await client.change('PUT', '/1.0/instances/one/state', { query: { project: 'atoll' }, body: { action: 'start' } })
    expect(asked[0]).toBe('PUT /1.0/instances/one/state?project=atoll')
    expect(asked.slice(1)).toEqual(Array(3).fill('GET /1.0/operations/one/wait?timeout=10'))
  })

  test('reports in LXD’s words how an operation failed', async () => {
    answer = ({ url }, response) => {
      response.end(url?.includes('/wait') ? sync({ status_code: 400, err: 'No space left on device' }) : begun)
    }
    await expect(client.change('POST', '/1.0/instances')).rejects.toMatchObject({
      name: 'LxdError',
      status: 400,
      message: 'No space left on device',
    })
  })

  test('asks again while the instance is busy with something else', async () => {
    let left = 2
    answer = (_request, response) => {
      left -= 1
      response.end(left >= 0 ? refusal(400, 'Instance is busy running a "stop" operation') : sync(null))
    }
    await client.change('DELETE', '/1.0/instances/one')
    expect(asked).toHaveLength(3)
  })

  test('asks the next endpoint when one cannot be connected to, and keeps to it', async () => {
    open(join(folder, 'nobody'), socket)
    answer = (_request, response) => response.end(sync('here'))
    expect(await client.get('/1.0', z.string())).toBe('here')
    expect(await client.get('/1.0', z.string())).toBe('here')
    open(join(folder, 'nobody'))
    await expect(client.get('/1.0', z.string())).rejects.toMatchObject({
      status: 0,
      // An owner may read it; where the socket is, only the log says.
      message: 'LXD does not answer',
      cause: { message: expect.stringMatching(/nobody: .*ENOENT/) },
    })
  })

  test.each<[string, string, RegExp]>([
    ['a page of some proxy', '<html>Bad gateway</html>', /something else than LXD's API/],
    ['another shape', sync({ name: 7 }), /unknown form: name /],
    ['nothing', '', /something else than LXD's API/],
  ])('does not take %s for an answer', async (_name, body, message) => {
    answer = (_request, response) => response.end(body)
    await expect(client.get('/1.0', z.object({ name: z.string() }))).rejects.toMatchObject({
      name: 'LxdError',
      status: 0,
      message: expect.stringMatching(message),
    })
  })

  test('does not read an answer without end', async () => {
    answer = (_request, response) => {
      const block = Buffer.alloc(1 << 20, ' ')
      const write = () => {
        while (!response.destroyed && response.write(block));
      }
      response.on('drain', write)
      write()
    }
    await expect(client.get('/1.0', z.string())).rejects.toMatchObject({ name: 'LxdError', status: 0 })
  })

  test('says that there is none, where that is no error', async () => {
    answer = (_request, response) => response.writeHead(404).end(refusal(404, 'Instance not found'))
    expect(await client.find('/1.0/instances/one', z.string())).toBeUndefined()
    await expect(client.get('/1.0/instances/one', z.string())).rejects.toMatchObject({ status: 404 })
  })
})
