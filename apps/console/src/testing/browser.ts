/** The bits of a browser that the console's modules without components touch, for tests in Node. */
import { vi } from 'vitest'
import { loadRuntimeConfig } from '../config/runtime-config.ts'
import { startLanguage } from '../locales/language.ts'

export interface FakeBrowser {
  storage: Map<string, string>
  /** Every text that was given to `document.cookie`. */
  cookies: string[]
  /** Makes each access to storage throw, as a browser that blocks it does. */
  blockStorage: () => void
  /** Makes each writing throw, as full storage does. */
  fillStorage: () => void
  /** As another tab's change arrives. */
  dispatchStorage: (key: string | null) => void
}

/** Puts a fake browser in place of the globals; `vi.unstubAllGlobals()` takes it away. */
export function stubBrowser(): FakeBrowser {
  const storage = new Map<string, string>()
  const cookies: string[] = []
  let blocked = false
  let full = false
  const guard = <T>(value: T): T => {
    if (blocked) throw new Error('storage is blocked')
    return value
  }
  const target = new EventTarget()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => guard(storage.get(key) ?? null),
    setItem: (key: string, value: string) => {
      if (full) throw new Error('storage is full')
      guard(storage.set(key, value))
    },
  })
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', new URL('https://console.atoll.example/'))
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  vi.stubGlobal('document', {
    documentElement: { lang: '' },
    querySelector: () => null,
    visibilityState: 'visible',
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    set cookie(text: string) {
      cookies.push(text)
    },
  })
  return {
    storage,
    cookies,
    blockStorage: () => {
      blocked = true
    },
    fillStorage: () => {
      full = true
    },
    dispatchStorage: (key) => target.dispatchEvent(Object.assign(new Event('storage'), { key })),
  }
}

/** Starts language and runtime configuration as `main.tsx` does. `fetch` is stubbed for that and left to the test. */
export async function startConsole(config: object = {}): Promise<void> {
  const hosts = { global: 'https://console.atoll.example', china: 'https://console.atoll.example' }
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  vi.stubGlobal('fetch', async () =>
    Response.json({
      product: 'Atoll',
      wallet: 'LarePass',
      hosts,
      walletUrl: 'https://wallet.atoll.example',
      now: Date.now(),
      ...config,
    }),
  )
  const { product, wallet } = await loadRuntimeConfig()
  await startLanguage({ product, wallet })
}
