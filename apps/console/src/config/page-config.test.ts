import { runtimeConfigName } from '@atoll/contract/identity'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubBrowser } from '../testing/browser.ts'
import { loadRuntimeConfig, runtimeConfig, serverNow } from './runtime-config.ts'

const written = {
  product: 'Reef',
  wallet: 'LarePass',
  hosts: { global: 'https://a.example', china: 'https://b.example' },
  walletUrl: 'https://wallet.example',
  requireMatchNumber: false,
  outbox: false,
  now: 1_773_844_026_000,
}
const asked = vi.fn()

/** A page with `content` in its meta element, reached by `type` of navigation, received a second ago. */
function openPage(content: string | null, type = 'navigate') {
  vi.stubGlobal('document', {
    querySelector: (selector: string) =>
      selector === `meta[name="${runtimeConfigName}"]` && content !== null ? { getAttribute: () => content } : null,
  })
  vi.stubGlobal('performance', {
    now: () => 3000,
    getEntriesByType: () => [{ type, responseStart: 2000 }],
  })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  stubBrowser()
  asked.mockReset()
  vi.stubGlobal('fetch', async (url: string) => {
    asked(url)
    return Response.json({ ...written, product: 'Asked' })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is taken from the page, with the clock of the moment the page arrived', async () => {
  openPage(JSON.stringify(written))
  await loadRuntimeConfig()
  expect(runtimeConfig()).toEqual({ ...written, formerWalletUrls: [], links: {} })
  expect(asked).not.toHaveBeenCalled()
  expect(serverNow()).toBe(written.now + 1000)
})

it.each([
  ['the page has none', () => openPage(null)],
  ['the page is an old copy from the history', () => openPage(JSON.stringify(written), 'back_forward')],
])('is asked for when %s', async (_when, open) => {
  open()
  expect((await loadRuntimeConfig()).product).toBe('Asked')
  expect(asked).toHaveBeenCalledWith('/config.json')
})
