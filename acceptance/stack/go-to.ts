/** Going from page to page within the console or the wallet, as their own links do: they are loaded once. */
import type { Page } from 'playwright-core'

/** The console's lightest page, with nothing around it. */
const lightest = '/languageList'

/** In the page: whether nothing lies over it that would lie over the next one too: a question, a toast. */
const isClear = `document.querySelector('[role=dialog], [role=menu], [data-toast]') === null`

/**
 * In the page: leaves it for another, and says whether that shows alone. A page of the same kind as the one that was
 * shown would keep what it had opened, chosen or half typed; this way it starts fresh, as in a tab of its own.
 */
const leave = (between: string) => `(async () => {
  if (!globalThis.__TSR_ROUTER__) return undefined
  await __TSR_ROUTER__.navigate({ href: '${between}' })
  sessionStorage.clear()
  for (const close of document.querySelectorAll('[data-toast] button')) close.click()
  return ${isClear}
})()`

const isClearSoon = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(${isClear}))))`

/**
 * Opens `path` in the console that `page` shows, or in the wallet, and loads it if none is shown yet, or if a layer
 * stays over it. Not for a test of how pages load. `between` is the page that is shown for a moment meanwhile. Returns
 * whether it was loaded.
 */
export async function goTo(page: Page, path: string, between = lightest): Promise<boolean> {
  // The last pressed control must not show its tip, nor the control in its place now.
  await page.mouse.move(0, 0)
  const isNew = page.url() === 'about:blank'
  if (isNew || path === between || !(await leaves(page, between))) {
    await page.goto(isNew ? path : new URL(path, page.url()).href, { waitUntil: 'commit' })
    return true
  }
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)
  if (new URL(page.url()).pathname === between) throw new Error(`the page ${path} was not gone to`)
  return false
}

async function leaves(page: Page, between: string): Promise<boolean> {
  const clear = await page.evaluate<boolean | undefined>(leave(between))
  if (clear !== false) return clear === true
  await page.keyboard.press('Escape')
  return await page.evaluate<boolean>(isClearSoon)
}
