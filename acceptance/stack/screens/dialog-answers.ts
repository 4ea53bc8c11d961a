/** Whether the answers of a dialog can be seen and read without scrolling (look/language, "Tables, forms, dialogs"). */
import type { Page } from 'playwright-core'

/** Runs in the page, at any place that the dialog is scrolled to. */
const read = `(() => {
  const faults = []
  for (const answer of document.querySelectorAll('[role=dialog] [data-answers] :is(button, a)')) {
    const words = answer.textContent.trim()
    const { top, bottom, left, width } = answer.getBoundingClientRect()
    if (width === 0) continue
    if (top < 0 || bottom > innerHeight) faults.push('“' + words + '” is out of sight')
    else if (!answer.contains(document.elementFromPoint(left + width / 2, (top + bottom) / 2)))
      faults.push('“' + words + '” is covered')
    const label = answer.querySelector('.mantine-Button-label')
    if (label && label.scrollWidth > label.clientWidth) faults.push('“' + words + '” is cut')
  }
  return faults
})()`

/** The answers of the dialog that is open which are out of sight, covered or cut; none where there is no dialog. */
export async function findAnswerFaults(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(read)
}
