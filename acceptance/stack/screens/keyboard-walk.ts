/** A walk through an open screen with the keyboard alone. */
import type { Page } from 'playwright-core'
import { layers } from '../accessibility.ts'

/** Enough to go past the first controls of each page. */
const presses = 15

/** The element that has focus. */
interface Focus {
  /** Undefined: nothing has. */
  name?: string
  /** Hidden by a bar that is fixed at the bottom of the window. */
  isUnderBar: boolean
  isInLayer: boolean
}

/** In the page: begins at its main part, past header and sidebar, which are the same everywhere. */
const begin = `(() => {
  if (!document.querySelector('${layers}')) document.getElementById('page')?.focus()
  globalThis.atollBars = [...document.querySelectorAll('body *')].filter((element) => {
    const { position } = getComputedStyle(element)
    return ['fixed', 'sticky'].includes(position) && element.getBoundingClientRect().bottom >= innerHeight - 1
  })
})()`

/** In the page: a `Focus`. An element taller than the room above the bar cannot be shown whole. */
const readFocus = `(() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return { isUnderBar: false, isInLayer: false }
  const bars = globalThis.atollBars.filter((bar) => bar.isConnected)
  const top = Math.min(...bars.map((bar) => bar.getBoundingClientRect().top))
  const box = focused.getBoundingClientRect()
  const isInBar = bars.some((bar) => bar.contains(focused))
  return {
    name: focused.localName + ' ' + (focused.getAttribute('aria-label') ?? focused.textContent).trim().slice(0, 60),
    isUnderBar: !isInBar && focused.closest('main') !== null && box.bottom > top + 1 && box.height < top,
    isInLayer: focused.closest('${layers}') !== null,
  }
})()`

const readFocusWhenDrawn = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(${readFocus}))))`

/** Presses Tab through `page`, and returns the faults of the way it takes. */
export async function walkByKeys(page: Page): Promise<string[]> {
  await page.evaluate(begin)
  const isDialog = (await page.locator('[role=dialog]:visible').count()) > 0
  const faults = new Set<string>()
  const reached = new Set<string>()
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab')
    let focus = await page.evaluate<Focus>(readFocus)
    // The page is scrolled to it when the next frame is drawn at the latest.
    if (focus.isUnderBar) focus = await page.evaluate<Focus>(readFocusWhenDrawn)
    const { name, isUnderBar, isInLayer } = focus
    if (name === undefined) continue
    reached.add(name)
    if (isUnderBar) faults.add(`${name} is under the bar below it`)
    if (isDialog && !isInLayer) faults.add(`${name} lies outside the dialog that is open`)
  }
  if (reached.size === 0) faults.add('the Tab key reaches nothing')
  return [...faults]
}
