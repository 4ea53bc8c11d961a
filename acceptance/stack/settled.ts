/** When a page has come to rest: what it was asked for is there, drawn, and no longer moving. */
import { patienceMs } from '@atoll/testkit'
import type { Page, Request } from 'playwright-core'

/** Signs that something is still loading. */
const loading = '.mantine-Skeleton-root, [data-loading=true], [aria-busy=true]'

/** A page at rest. */
export interface Rest<Seen> {
  /** The reason why it does not rest, after all patience. */
  obstacle: string | null
  /** The view at that moment, before anything could change. */
  seen: Seen
}

/**
 * In the page: resolves once nothing moves but what moves for ever, nothing matches `awaited`, and two frames and an
 * idle moment changed nothing; or after `patienceMs`, also when no frame is drawn any more.
 */
const rest = (awaited: string, see: string) => `new Promise((resolve) => {
  let isPatient = true
  let changed = true
  const observer = new MutationObserver(() => { changed = true })
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const obstacle = () => {
    if (changed) return 'it keeps changing'
    if (!document.querySelector('h1')) return 'it has no heading'
    const loads = document.querySelector('${awaited}')
    if (loads) return 'it still loads: ' + loads.outerHTML.slice(0, 200)
    const moves = document.getAnimations().some(({ playState, effect }) =>
      playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
    return moves ? 'it keeps moving' : undefined
  }
  const end = (obstacle) => {
    clearTimeout(patience)
    isPatient = false
    observer.disconnect()
    resolve({ obstacle, seen: ${see} })
  }
  const patience = setTimeout(() => end(obstacle() ?? 'it draws no frame: ' + document.visibilityState), ${patienceMs})
  const check = () => {
    changed = false
    // A busy page is not idle for long; what is drawn then counts.
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => {
      if (!isPatient) return
      const found = obstacle()
      if (found === undefined) end(null)
      else check()
    }, { timeout: 500 })))
  }
  check()
})`

interface RestOptions {
  /** Whether the page is to have everything it shows; otherwise it may say that something is under way. */
  loaded?: boolean
  /** An expression for what is to be seen. */
  see?: string
}

/** Waits until the page rests, and returns what is to be seen then. */
export async function waitForRest<Seen = undefined>(
  page: Page,
  { loaded = false, see = 'undefined' }: RestOptions = {},
): Promise<Rest<Seen>> {
  for (;;) {
    try {
      return await page.evaluate<Rest<Seen>>(rest(loaded ? loading : ':not(*)', see))
    } catch (error) {
      // The page was left for another meanwhile, which is then waited for.
      if (!(error instanceof Error && /context was destroyed/.test(error.message))) throw error
    }
  }
}

/**
 * As `waitForRest` of a page that is to be loaded, and nothing is being asked for. The stream of changes never ends
 * and is not waited for. To be called before the page is opened; the function it returns is called as often as needed.
 */
export function watchRequests<Seen>(page: Page, see: string): () => Promise<Rest<Seen>> {
  const open = new Set<Request>()
  let begun = 0
  page.on('request', (request) => {
    begun += 1
    // Requests of the page before end with it; not all of them are reported as ended.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear()
    if (!request.url().includes('/v1/events')) open.add(request)
  })
  const close = (request: Request) => void open.delete(request)
  page.on('requestfinished', close)
  page.on('requestfailed', close)
  return async () => {
    const until = performance.now() + patienceMs
    for (;;) {
      const before = begun
      const found = await waitForRest<Seen>(page, { loaded: true, see })
      if (found.obstacle !== null || (open.size === 0 && begun === before)) return found
      if (performance.now() <= until) continue
      // On a busy machine a page that asks every few seconds asks during each look at it, and rests all the same.
      return open.size === 0
        ? found
        : { ...found, obstacle: `it waits for answers to ${[...open].map((each) => each.url()).join(' and ')}` }
    }
  }
}
