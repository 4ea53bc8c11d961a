/** Records what a page showed, every change of it, however short: proof of what was never on the screen. */
import type { Page } from 'playwright-core'

/** One state of the screen: what the account button was called, and which of the words stood anywhere on it. */
export interface SeenFrame {
  account: string | undefined
  words: string[]
}

/** Starts before anything of the page runs. `words`: what to find, in the document and in its title. */
export async function recordFrames(page: Page, words: string[]): Promise<void> {
  await page.addInitScript(`{
    const words = ${JSON.stringify(words)}
    const seen = (globalThis.seenFrames = [])
    const check = () => {
      if (!document.body) return
      const text = document.body.textContent + ' ' + document.title
      const button = document.querySelector('header [data-form="wide"]')
      const frame = JSON.stringify({ account: button?.getAttribute('aria-label') ?? undefined, words: words.filter((word) => text.includes(word)) })
      if (seen.at(-1) !== frame) seen.push(frame)
    }
    // Observers run after each change and before it is painted; the animation frame sees what came without one.
    new MutationObserver(check).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    const follow = () => { check(); requestAnimationFrame(follow) }
    requestAnimationFrame(follow)
  }`)
}

/** Frames since the page was loaded, oldest first; neighbours differ. */
export async function seenFrames(page: Page): Promise<SeenFrame[]> {
  const frames = await page.evaluate<string[]>('globalThis.seenFrames')
  return frames.map((frame) => JSON.parse(frame) as SeenFrame)
}
