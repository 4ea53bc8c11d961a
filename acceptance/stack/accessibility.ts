import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locale } from '@atoll/contract/wire'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { desktop, keepPicture, phone } from './browser.ts'
import { waitForRest } from './settled.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** All that can change with the colour scheme alone. */
const colourRules = ['color-contrast', 'link-in-text-block']

export interface BarrierSearch {
  /** Only what another colour scheme can have changed. */
  coloursOnly?: boolean
  /** Only what lies over the page: the page itself was checked without it. */
  layerOnly?: boolean
}

/** In the page. axe asks no table for a name, by which a screen reader lists it. */
const namelessTables = `[...document.querySelectorAll('table:not([aria-label], [aria-labelledby])')]
  .filter((table) => !table.caption)
  .map((table) => table.outerHTML.slice(0, 120))`

/**
 * In the page: whether a modal dialog is open and the element is not in it. It cannot be pressed then, and axe takes
 * the strip of a button that a dialog leaves in sight for all of the button.
 */
const isBehindModal = (selector: string) => `(() => {
  const modal = '[aria-modal=true]'
  return document.querySelector(modal) !== null && document.querySelector(${JSON.stringify(selector)})?.closest(modal) === null
})()`

/** Runs in the page: whether it is scrolled half under the header, which leaves less of it than a finger needs. */
const isUnderHeader = (selector: string) => `(() => {
  const [header, element] = [document.querySelector('header'), document.querySelector(${JSON.stringify(selector)})]
  if (!header || !element || header.contains(element) || getComputedStyle(header).position !== 'sticky') return false
  return scrollY > 0 && element.getBoundingClientRect().top < header.getBoundingClientRect().bottom
})()`

/** Elements over the page. CSS selector. */
export const layers = '[role=dialog], [role=menu]'

/** Findings of axe against WCAG 2.2 AA on the page once it rests, one line each; none is the goal. */
export async function findBarriers(page: Page): Promise<string[]> {
  return await (await createBarrierFinder(page))()
}

/** The layout that is searched in each language: what axe finds lies in a layout and in its colours. */
export const searched = { 'en-US': desktop, 'zh-CN': phone }

/**
 * The faults of an open page: wider than a desk's or a phone's window, and axe's findings in the layout that is
 * searched in `locale`. Pictures of them are kept by the name.
 */
export async function checkLayouts(page: Page, locale: Locale, name: string): Promise<string[]> {
  const findBarriers = await createBarrierFinder(page)
  const found: string[] = []
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await waitForRest(page)
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wide > 0) found.push(`${locale} ${viewport.width}: ${wide} px wider than the window`)
    if (viewport !== searched[locale]) continue
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
      const at = `${locale} ${viewport.width} ${colorScheme}`
      found.push(...(await findBarriers({ coloursOnly: colorScheme === 'dark' })).map((each) => `${at}: ${each}`))
      await keepPicture(page, `${name}-${at.replaceAll(' ', '-')}`)
    }
  }
  return found
}

/** Keeps pictures of pages, named for what they are `of`, and expects that nothing on them is a barrier. */
export function picturesOf(of: string): (page: Page, name: string) => Promise<void> {
  return async (page, name) => {
    await keepPicture(page, `${of}-${name}`)
    // Not softly: that needs to know the test, and of two that run side by side the other may be taken for it.
    expect(await findBarriers(page), name).toEqual([])
  }
}

/** As `findBarriers`, for a page that is checked several times: axe is put into it once. */
export async function createBarrierFinder(page: Page): Promise<(search?: BarrierSearch) => Promise<string[]>> {
  // A page that was gone to within the console has it from the page before.
  if (!(await page.evaluate<boolean>('globalThis.axe !== undefined'))) await page.evaluate(axe)
  return async ({ coloursOnly = false, layerOnly = false } = {}) => {
    // A dialog that opens has no name yet, a colour on its way is no colour.
    const { obstacle } = await waitForRest(page)
    if (obstacle) return [`not checked: ${obstacle}`]
    const context = layerOnly ? JSON.stringify(layers) : 'document'
    const runOnly = coloursOnly ? { type: 'rule', values: colourRules } : { type: 'tag', values: everyRule }
    const run = `axe.run(${context}, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})`
    const { violations } = await page.evaluate<AxeResults>(run)
    const found = []
    for (const { id, nodes } of violations) {
      for (const { target, html } of nodes) {
        const selector = target.join(' ')
        const covered = `${isBehindModal(selector)} || ${isUnderHeader(selector)}`
        if (id === 'target-size' && (await page.evaluate<boolean>(covered))) continue
        found.push(`${id}: ${selector} ${html}`)
      }
    }
    const nameless = coloursOnly ? [] : await page.evaluate<string[]>(namelessTables)
    return [...found, ...nameless.map((table) => `a table without a name: ${table}`)]
  }
}
