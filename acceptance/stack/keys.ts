/** A person who has no mouse: only keys are pressed, and only what Tab and arrows reach is reached. */
import type { Locator, Page } from 'playwright-core'

/** More stops than any of our pages has. */
const mostStops = 80

const hasFocus = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement)

/** Presses `key` until `target` has the focus; throws with where it went instead when it never comes there. */
async function moveTo(page: Page, target: Locator, key: string): Promise<void> {
  await target.waitFor()
  const stops: string[] = []
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    stops.push(await focusedText(page))
  }
  throw new Error(`${key} never reaches ${target}; it stopped at: ${stops.join(' | ')}`)
}

const focusedText = (page: Page) =>
  page.evaluate<string>(
    `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').slice(0, 40)`,
  )

export function keys(page: Page) {
  return {
    /** Goes to a control with Tab. */
    tabTo: (target: Locator) => moveTo(page, target, 'Tab'),

    /** Goes to an entry of the open menu with the arrow key. */
    arrowTo: (entry: Locator) => moveTo(page, entry, 'ArrowDown'),

    /** Goes to a control with Tab and presses it. */
    async press(target: Locator): Promise<void> {
      await moveTo(page, target, 'Tab')
      await page.keyboard.press('Enter')
    },

    /** Opens a menu with Enter, goes to an entry with the arrow key, and chooses it. */
    async choose(menu: Locator, entry: Locator): Promise<void> {
      await moveTo(page, menu, 'Tab')
      await page.keyboard.press('Enter')
      await moveTo(page, entry, 'ArrowDown')
      await page.keyboard.press('Enter')
    },

    type: (text: string) => page.keyboard.type(text),
  }
}
