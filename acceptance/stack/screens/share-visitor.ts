/** The browser and the servers that the visits of one file share. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, vi } from 'vitest'
import { forShortPages, launchBrowser } from '../browser.ts'
import { createVisitor, type Visitor } from './visit.ts'

/** Called once, at the head of a file of tests; returns what visits a screen while they run. */
export function shareVisitor(): Visitor['visit'] {
  // Two cores compute no more at a time; more would only make each page slower.
  vi.setConfig({ maxConcurrency: 3 })
  let browser: Browser | undefined
  let visitor: Visitor | undefined
  beforeAll(async () => {
    browser = await launchBrowser([forShortPages])
    visitor = await createVisitor(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await visitor?.[Symbol.asyncDispose]()
  })
  return async (state, look) => {
    if (!visitor) throw new Error('a screen is visited by a test')
    return await visitor.visit(state, look)
  }
}
