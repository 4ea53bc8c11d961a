/** Going from page to page within the console, as its own links do: it is loaded once. */
import type { Page } from 'playwright-core'

/** The lightest page, with nothing around it. */
const between = '/languageList'

/** In the page: whether nothing lies over it that would lie over the next one too: a question, a toast. */
const isClear = `document.querySelector('[role=dialog], [role=menu], [data-toast]') === null`

/**
 * In the page: leaves it for the page between, and says whether that shows alone. A page of the same kind as the one
 * that was shown would keep what it had opened, chosen or half typed, and begins anew so.
 */
const leave = `(async () => {
  if (!globalThis.__TSR_ROUTER__) return undefined
  await __TSR_ROUTER__.navigate({ href: '${between}' })
  return ${isClear}
})()`

const isClearSoon = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(${isClear}))))`

/**
 * Opens `path` in the console that `page` shows, and loads it where none is shown yet, or where something stays over
 * it. Not for a test of how pages load.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  // What was pressed last is not to show its tip, nor what stands in its place now.
  await page.mouse.move(0, 0)
  if (page.url() !== 'about:blank' && path !== between && (await leaves(page))) {
    await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
    if (new URL(page.url()).pathname === between) throw new Error(`the console did not go to ${path}`)
  } else await page.goto(path, { waitUntil: 'commit' })
}

async function leaves(page: Page): Promise<boolean> {
  const clear = await page.evaluate<boolean | undefined>(leave)
  if (clear !== false) return clear === true
  await page.keyboard.press('Escape')
  return await page.evaluate<boolean>(isClearSoon)
}
