import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const run = `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`

/** What axe finds against WCAG 2.2 AA on the page as it is now, one line a finding; nothing is the goal. */
export async function findBarriers(page: Page): Promise<string[]> {
  return await (await createBarrierFinder(page))()
}

/** As `findBarriers`, for a page that is looked at several times: axe is put into it once. */
export async function createBarrierFinder(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(axe)
  return async () => {
    const { violations } = await page.evaluate<AxeResults>(run)
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.html}`))
  }
}
