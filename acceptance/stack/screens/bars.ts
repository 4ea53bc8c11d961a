/** Whether a low window has room for the page: what stays while it is scrolled leaves most of it free. */
import type { Page } from 'playwright-core'

/** Part of the window's height that such things may take. */
const most = 0.34

/** Runs in the page. */
const read = `(() => {
  let taken = 0
  const names = []
  for (const element of document.querySelectorAll('body *')) {
    const { position } = getComputedStyle(element)
    if (position !== 'fixed' && position !== 'sticky') continue
    // Layers and what tells of something for a while are over the page, and go.
    if (element.closest('[role=dialog], [role=alert], [role=status], [aria-live], .mantine-Modal-root')) continue
    const { width, height, top, bottom } = element.getBoundingClientRect()
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (width < innerWidth / 2 || bottom <= 0 || top >= innerHeight) continue
    taken += height
    names.push(element.className.toString().slice(0, 40) + ' ' + Math.round(height) + ' px')
  }
  return taken > innerHeight * ${most} ? ['bars leave no room: ' + names.join(', ')] : []
})()`

export async function findBarFaults(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(read)
}
