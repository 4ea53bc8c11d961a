/**
 * Whether a row of a phone's list is one link, large enough for a finger, and what else is in it separate from it, and
 * whether its second line is one.
 */
import type { Page } from 'playwright-core'

/** Runs in the page, which is scrolled up again afterwards. */
const read = `(() => {
  const faults = []
  const least = 44 // px, the least side of what a finger presses (design language, "Layout")
  const controls = 'a[href], button'
  const at = (x, y) => document.elementFromPoint(x, y)?.closest(controls)
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
  const nameOf = (element) => '“' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40) + '”'
  /** How far the link is pressed up and down from the middle of its words. */
  const heightOf = (link) => {
    const { left, width, top, bottom } = link.getBoundingClientRect()
    const [x, middle] = [left + Math.min(width / 2, 20), (top + bottom) / 2]
    let [up, down] = [0, 0]
    while (up < least && at(x, middle - up - 1) === link) up += 1
    while (down < least && at(x, middle + down + 1) === link) down += 1
    return up + down + 1
  }
  const checkHeight = (link) => {
    const height = heightOf(link)
    if (height < least) faults.push(nameOf(link) + ' is pressed on ' + height + ' px, not on ' + least)
  }
  /** The end of the second line stands beside its beginning, where both have room once that is broken into lines. */
  const checkLine = (row) => {
    const [begin, ...more] = row.querySelectorAll('td[data-phone=second]')
    const end = row.querySelector('td[data-phone=second-end]')
    if (!begin || !end || more.length > 0) return
    const [line, box] = [begin.getBoundingClientRect(), end.getBoundingClientRect()]
    if (line.height === 0 || box.width === 0 || box.top < line.bottom) return
    begin.style.flex = '0 0 min-content'
    const least = begin.getBoundingClientRect().width
    begin.style.flex = ''
    const { paddingLeft, paddingRight } = getComputedStyle(row)
    const room = row.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    if (Math.max(least, 0.4 * room) + box.width < room - 1) faults.push(nameOf(end) + ' stands below the line that it ends')
  }
  for (const table of document.querySelectorAll('main table')) {
    for (const row of [...table.tBodies].flatMap((body) => [...body.rows]).slice(0, 3)) {
      if (!isShown(row)) continue
      checkLine(row)
      const inCells = [...row.querySelectorAll('td[data-leads] :is(a[href], button), td:not([data-actions], [colspan]) a[href]')]
      const link = inCells.find(isShown)
      if (!link) continue
      row.scrollIntoView({ block: 'center' })
      checkHeight(link)
      const { left, right, top, bottom } = row.getBoundingClientRect()
      const corners = [[left + 6, top + 4], [right - 6, top + 4], [left + 6, bottom - 4], [right - 6, bottom - 4]]
      if (corners.some(([x, y]) => !row.contains(at(x, y) ?? null))) faults.push('the row of ' + nameOf(link) + ' is not one link')
      for (const other of row.querySelectorAll(controls)) {
        if (other === link || !isShown(other)) continue
        const box = other.getBoundingClientRect()
        if (at((box.left + box.right) / 2, (box.top + box.bottom) / 2) !== other)
          faults.push(nameOf(other) + ' in the row of ' + nameOf(link) + ' is no target of its own')
      }
    }
  }
  for (const link of [...document.querySelectorAll('main article h2 a[href]')].slice(0, 3)) {
    link.scrollIntoView({ block: 'center' })
    checkHeight(link)
  }
  scrollTo(0, 0)
  return faults
})()`

/** The faults of the rows and cards of a page in a phone's window. */
export async function findRowFaults(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(read)
}
