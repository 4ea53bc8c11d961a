/** Whether a screen reader can tell what a page repeats from each other: buttons, links and tables by their names. */
import type { Page } from 'playwright-core'

/** Runs in the page. */
const read = `(() => {
  const faults = new Set()
  const layer = document.querySelector('[aria-modal=true]')
  const isHeard = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]') &&
    (!layer || layer.contains(element))
  const ownName = (element) => {
    const by = element.getAttribute('aria-labelledby')
    if (by) return by.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const given = element.getAttribute('aria-label')
    if (given) return given
    return [...element.childNodes].map((node) =>
      node.nodeType === Node.TEXT_NODE ? node.data
      : node.nodeType !== Node.ELEMENT_NODE || node.matches('[aria-hidden=true]') || !node.checkVisibility() ? ''
      : node.getAttribute('alt') ?? ownName(node)).join(' ')
  }
  const nameOf = (element) => ownName(element).replace(/\\s+/g, ' ').trim()
  // The first cell of a row and the heading of a card are names of things, which may be equal.
  const isName = (control) => control.closest('td[data-leads], h2, h3') !== null
  const thing = 'main li, main article, main tr, main nav, [role=dialog] .mantine-InputWrapper-root'
  /** The things that have a control of this name, with where it leads. */
  const found = new Map()
  for (const control of document.querySelectorAll('button, a[href], [role=button]')) {
    const of = control.closest(thing)
    if (!of || !isHeard(control) || isName(control)) continue
    const name = nameOf(control)
    const others = found.get(name) ?? []
    found.set(name, [...others, { of, to: control.href }])
    if (others.some((other) => other.of !== of && (control.href === undefined || other.to !== control.href)))
      faults.add('several are called “' + name + '”')
  }
  for (const table of document.querySelectorAll('table, [role=table]')) {
    if (!isHeard(table)) continue
    const given = table.getAttribute('aria-label') ?? table.getAttribute('aria-labelledby') ?? table.caption?.textContent
    if (!given?.trim()) faults.add('a table without a name: ' + table.textContent.slice(0, 60))
  }
  return [...faults]
})()`

/** Elements of the page that share a name, or have none. */
export async function findRepeatedNames(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(read)
}
