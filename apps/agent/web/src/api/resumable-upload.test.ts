import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { uploadInParts } from './resumable-upload.ts'

/** A server of tus that takes `room` bytes of each request, then cuts the connection. */
function startServer({ room }: { room: number }) {
  const state = { calls: [] as string[], kept: 0, length: 0, room, status: 204, response: {} }
  vi.stubGlobal(
    'fetch',
    async (_: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
      state.calls.push(method)
      if (method === 'POST') {
        state.length = Number(headers['Upload-Length'])
        return new Response(null, { status: 201, headers: { Location: '/api/drive/uploads?id=a' } })
      }
      if (state.length === 0) return new Response(null, { status: 404 })
      return new Response(null, { status: 204, headers: { 'Upload-Offset': String(state.kept) } })
    },
  )
  class Request {
    upload: { onprogress?: (event: { loaded: number }) => void } = {}
    status = state.status
    response = state.response
    onload = () => {}
    onerror = () => {}
    open = (method: string) => state.calls.push(method)
    setRequestHeader = () => {}
    send(part: Blob): void {
      const taken = Math.min(part.size, state.room)
      state.kept += taken
      this.upload.onprogress?.({ loaded: taken })
      if (taken < part.size) this.onerror()
      else this.onload()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  return state
}

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const bounds = { firstMs: 1, longestMs: 1 }
const options = (onProgress = (_: number) => {}) => ({
  path: '/目.bin',
  file: new File(['0123456789'], '目.bin', { lastModified: 1 }),
  replace: false,
  signal: new AbortController().signal,
  onProgress,
})

it('goes on where it was cut, and forgets the upload when it is whole', async () => {
  const server = startServer({ room: 4 })
  const sent: number[] = []
  await uploadInParts(
    options((bytes) => sent.push(bytes)),
    bounds,
  )
  expect(server.calls).toEqual(['POST', 'PATCH', 'HEAD', 'PATCH', 'HEAD', 'PATCH'])
  expect(sent).toEqual([0, 4, 4, 8, 8, 10])
  expect(kept.size).toBe(0)
})

it('gives up where nothing gets through, and another page goes on from there', async () => {
  const server = startServer({ room: 0 })
  await expect(uploadInParts(options(), bounds)).rejects.toMatchObject({ code: 'unreachable' })
  Object.assign(server, { room: 10, calls: [] })
  await uploadInParts(options(), bounds)
  expect(server.calls).toEqual(['HEAD', 'PATCH'])
})

it('gives up where nothing more gets through after a part did', async () => {
  const server = startServer({ room: 4 })
  const onProgress = (sent: number) => {
    if (sent === 4) server.room = 0
  }
  await expect(uploadInParts(options(onProgress), bounds)).rejects.toMatchObject({ code: 'unreachable' })
  expect(server.calls.filter((call) => call === 'PATCH')).toHaveLength(8)
})

it('ends an upload whose name was taken meanwhile, since replacing is another', async () => {
  const server = startServer({ room: 10 })
  Object.assign(server, { status: 412, response: { code: 'exists', message: '' } })
  await expect(uploadInParts(options(), bounds)).rejects.toMatchObject({ code: 'exists' })
  expect([server.calls, kept.size]).toEqual([['POST', 'PATCH', 'DELETE'], 0])
})

it('begins again where the server has forgotten it', async () => {
  const server = startServer({ room: 10 })
  kept.set('upload /目.bin 10 1 false', '/api/drive/uploads?id=old')
  await uploadInParts(options(), bounds)
  expect(server.calls).toEqual(['HEAD', 'POST', 'PATCH'])
})
