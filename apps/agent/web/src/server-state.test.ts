import { afterEach, expect, it, vi } from 'vitest'
import { forgetServerState, requirePlace } from './server-state.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  forgetServerState()
})

const status = {
  active: true,
  resetting: false,
  product: 'Atoll',
  clusterName: null,
  terminusName: null,
  version: null,
  install: { state: 'done', reason: null, steps: [] },
  walletUrl: null,
  consoleUrl: null,
}

/** A server whose answers about the session wait; it is active, and nobody has signed in yet. */
function startServer() {
  const waiting: ((name: string | null) => void)[] = []
  vi.stubGlobal('fetch', (path: string) => {
    if (path === '/api/status') return Promise.resolve(Response.json({ ...status, now: Date.now() }))
    return new Promise((resolve) =>
      waiting.push((name) => resolve(Response.json({ name, did: null, expiresAt: null }))),
    )
  })
  return waiting
}

it('is not what was asked before signing in, however late that is answered', async () => {
  const waiting = startServer()
  const before = requirePlace('sign-in')
  forgetServerState()
  const after = requirePlace('inside')
  waiting[1]?.('reef@atoll.test')
  expect((await after).session.name).toBe('reef@atoll.test')
  waiting[0]?.(null)
  await before
  expect((await requirePlace('inside')).session.name).toBe('reef@atoll.test')
  expect(waiting).toHaveLength(2)
})

it('is asked for again where nobody answered', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')))
  await expect(requirePlace('sign-in')).rejects.toThrow('unreachable')
  const waiting = startServer()
  const again = requirePlace('sign-in')
  waiting[0]?.(null)
  expect((await again).session.name).toBeNull()
})
