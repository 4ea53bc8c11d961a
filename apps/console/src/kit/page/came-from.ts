/**
 * The page that a person was on before this one, for pages that lead back once their work is done. In the tab's
 * storage, as a page may be left for the bank's in between.
 */
import { keepInTab, readFromTab } from '../browser/tab-storage.ts'

const key = 'came-from'

/** Pages that somebody is only led through. */
const passages = /^\/(payment|paid|create|createMobile|login)(\/|$)/

/** `href`, an address of the console with its query, is left. */
export function leaveFor(href: string): void {
  if (passages.test(href.split('?')[0] ?? '')) return
  keepInTab(key, href)
}

/** Undefined where this tab was on no other page yet, or could not keep it. */
export function cameFrom(): string | undefined {
  return readFromTab(key)
}
