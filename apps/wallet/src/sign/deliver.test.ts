import { beforeEach, expect, it, vi } from 'vitest'
import { deliverSignature } from './deliver.ts'
import { signRequest } from './request.fixture.ts'

const request = signRequest()
const fetched = vi.fn<typeof fetch>()
beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})

const signature = { jws: 'a.b.c', did: 'did:key:zMe' }

it('posts id, jws, did and the sign_body as the wire says', async () => {
  fetched.mockResolvedValue(new Response('{"code":200,"message":"","data":{}}'))
  expect(await deliverSignature(request, signature)).toEqual({ kind: 'accepted' })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe(request.message.sign.callback_url)
  expect(init).toMatchObject({ method: 'POST', credentials: 'omit', referrerPolicy: 'no-referrer' })
  expect(JSON.parse(String(init?.body))).toEqual({ ...request.message.sign.sign_body, id: 'm1', ...signature })
})

it('sends the cookie of this browser along only when the code is on a page of it', async () => {
  fetched.mockImplementation(async () => new Response('{"code":200,"message":"","data":{}}'))
  await deliverSignature(request, signature, false)
  await deliverSignature(request, signature, true)
  expect(fetched.mock.calls.map(([, init]) => init?.credentials)).toEqual(['omit', 'include'])
})

it.each([
  ['an envelope that says no', 200, '{"code":403,"message":"QR code has expired. Please refresh."}'],
  ['a status that says no', 403, '{"code":"forbidden","message":"QR code has expired. Please refresh."}'],
])('reports a refusal in the words of the site: %s', async (_, status, answer) => {
  fetched.mockResolvedValue(new Response(answer, { status }))
  const refused = { kind: 'refused', message: 'QR code has expired. Please refresh.' }
  expect(await deliverSignature(request, signature)).toEqual(refused)
})

it.each(['exp: must be a number', 'exp：必须是数字'])(
  'keeps from a person what is for programs: %s',
  async (message) => {
    fetched.mockResolvedValue(Response.json({ code: 501, message }))
    expect(await deliverSignature(request, signature)).toEqual({ kind: 'refused', message: '' })
  },
)

it('takes a failing status without words as a refusal without words', async () => {
  fetched.mockResolvedValue(new Response('<html>', { status: 502 }))
  expect(await deliverSignature(request, signature)).toEqual({ kind: 'refused', message: '' })
})

it('reports that nobody answers', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  expect(await deliverSignature(request, signature)).toEqual({ kind: 'unreachable' })
})
