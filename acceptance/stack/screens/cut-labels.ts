/** Whether words are cut, also where a person gave things the longest name there may be (32 characters, all Han). */
import type { Page } from 'playwright-core'
import { sampleBackupName } from '../samples/sample-backups.ts'
import { sampleClusters } from '../samples/sample-clusters.ts'

const longest = '潮汐环礁上的家庭服务器与孩子们的照片和爷爷留下的信件备份都在这里'
/** Those that are no part of another word. */
const names = [...sampleClusters.map(({ name }) => name).filter(({ length }) => length > 4), sampleBackupName]

/**
 * Runs in the page. A label may end in '…' where its style says so, and may be scrolled out of view; it is cut where
 * anything else hides a part of it. Text for screen readers alone is skipped.
 */
const read = `(() => {
  const faults = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const controls = 'button, a.mantine-Button-root, [role=tab], [role=menuitem], [role=option]'
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const words = text.data.trim()
    const parent = text.parentElement
    if (words === '' || !parent || parent.closest('svg[aria-hidden=true]')) continue
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    if (width === 0) continue
    const fault = (how) => faults.add('“' + words.slice(0, 60) + '” ' + how)
    let isInPage = true
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      const bounds = box.getBoundingClientRect()
      const isHidden = style.clipPath !== 'none' || bounds.width <= 1 || bounds.height <= 1
      if (isHidden || style.overflowX !== 'visible') isInPage = false
      if (isHidden || /auto|scroll/.test(style.overflowX + style.overflowY)) break
      if (style.overflowX === 'visible') {
        if (box.matches(controls) && (right > bounds.right + 1 || left < bounds.left - 1)) fault('stands out of its button')
        continue
      }
      if (style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none') break
      if (right > bounds.right + 1 || left < bounds.left - 1) fault('is cut at its side')
      // The box of a font is higher than the line that it stands on.
      else if (top > bounds.top - 1 && bottom > bounds.bottom + 6) fault('is cut below')
    }
    if (isInPage && right > innerWidth + 1) fault('stands out of the window')
  }
  return [...faults]
})()`

/** The same with every name of the sample as long as a name may be; the page is as before afterwards. */
const readWithLongNames = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const before = []
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const name = ${JSON.stringify(names)}.find((each) => text.data.includes(each))
    if (name) before.push([text, text.data, text.data.replaceAll(name, '${longest}')])
  }
  for (const [text, , long] of before) text.data = long
  const faults = ${read}
  const wide = document.documentElement.scrollWidth - innerWidth
  if (wide > 0) faults.push(wide + ' px wider than the window')
  for (const [text, short] of before) text.data = short
  return faults
})()`

/** The words that are cut on a page as it is. */
export async function findCutWords(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(read)
}

/** The words that are cut on a page as it is, and with the longest names. */
export async function findCutLabels(page: Page): Promise<string[]> {
  const plain = await findCutWords(page)
  const long = await page.evaluate<string[]>(readWithLongNames)
  return [...plain, ...long.filter((fault) => !plain.includes(fault)).map((fault) => `with the longest name, ${fault}`)]
}
