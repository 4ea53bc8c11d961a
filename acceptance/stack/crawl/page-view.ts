/** A page as a person sees it: its address, the top layer, and the controls there. */
import type { ElementHandle, Page } from 'playwright-core'
import consoleEnglish from '../../../packages/texts/en-US/console/at-start.ts'
import consoleChinese from '../../../packages/texts/zh-CN/console/at-start.ts'
import { findRawKey } from '../texts.ts'

/** A control on the screen. `key` is the same for the same control after a reload. */
export interface Control {
  key: string
  kind: 'press' | 'type' | 'refused'
}

export interface View {
  /** Path and query. */
  address: string
  /** Role and name of the topmost dialog or menu; empty: the page itself. */
  layer: string
  controls: Control[]
  /** The page's title. */
  headings: string[]
  text: string
  /** Stored values that pages show: accounts and language, not the colours. */
  remembered: string
  /** Which entry of the tab's history this is; what replaces it has the same. */
  entry: string
}

const broken = [consoleEnglish, consoleChinese].map(({ failure }) => failure.pageTitle)

/** The faults of a page as it is shown: a missing text, a broken page, no heading, or links that lead nowhere. */
export function findViewFaults({ text, controls, layer, headings }: View): string[] {
  const faults: string[] = []
  const key = findRawKey(text)
  if (key) faults.push(`a text is missing: ${key}`)
  if (broken.some((title) => text.includes(title))) faults.push('the page broke')
  if (!controls.some(({ kind }) => kind === 'press' || layer !== '')) faults.push('a dead end: nothing here leads on')
  if (headings.length === 0 && layer === '') faults.push('a page without a heading')
  return faults
}

/** The control of the topmost layer that is known as `key`. */
export async function findControl(page: Page, key: string): Promise<ElementHandle | undefined> {
  const handle = await page.evaluateHandle(`(() => {
    ${inPage}
    return listControls().find((control) => control.key === ${JSON.stringify(key)})?.element
  })()`)
  return handle.asElement() ?? undefined
}

/** In the page. One notion of what is shown, for layers and for controls. */
const inPage = `
const isShown = (element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0
const nameOf = (element) =>
  element?.getAttribute('aria-label') ?? document.getElementById(element?.getAttribute('aria-labelledby') ?? '')?.textContent
const topLayer = () => [...document.querySelectorAll('[role=dialog], [role=menu]')].filter(isShown).at(-1)
/** The controls of the topmost layer, in their order. */
function listControls() {
  const top = topLayer() ?? document.body
  const selector = 'a[href], button, input:not([type=hidden]), textarea, select, summary, [role=menuitem], [role=menuitemradio], [role=option], [role=tab]'
  const seen = new Map()
  return [...top.querySelectorAll(selector)].filter(isShown).map((element) => {
    const frame = document.querySelector('main') && !element.closest('main, [role=dialog], [role=menu]') ? 'frame ' : ''
    const card = element.closest('article, tr')?.querySelector('h2, td')?.textContent ?? nameOf(element.closest('[role=tabpanel]')) ?? ''
    const says = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? (element.textContent || element.getAttribute('placeholder') || element.getAttribute('type') || '')
    const words = says.replace(/\\d+ s\\b|\\d+:\\d\\d/g, '').trim().slice(0, 60)
    const base = frame + (element.getAttribute('role') ?? element.localName) + ' ' + words + (card ? ' @' + card : '')
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    const refused = element.disabled || element.getAttribute('aria-disabled') === 'true'
    const typed = element.matches('textarea, input:not([type=radio], [type=checkbox], [type=button], [type=submit], [type=file])') && !element.readOnly
    return { key: count === 1 ? base : base + ' #' + count, kind: refused ? 'refused' : typed ? 'type' : 'press', element }
  })
}`
/** In the page: a `View` of it. */
export const view = `(() => {
  ${inPage}
  const top = topLayer()
  return {
    address: location.pathname + location.search,
    layer: top ? top.getAttribute('role') + ' ' + (nameOf(top) ?? '') : '',
    controls: listControls().map(({ key, kind }) => ({ key, kind })),
    headings: [...document.querySelectorAll('h1')].filter(isShown).map((heading) => heading.textContent),
    text: document.body.innerText,
    remembered: JSON.stringify(Object.entries(localStorage).filter(([key]) => !key.startsWith('mantine')).sort()),
    entry: navigation.currentEntry?.key ?? '',
  }
})()`
