/**
 * Presses every control of every page that can be reached, as somebody would who tries everything once. A control is known by
 * what it says and where it stands, so that the header's are pressed once and a card's once a card. What opens over the page
 * (a menu, a dialog, the palette) is pressed through too; afterwards the page is opened anew.
 */
import type { ElementHandle, Page } from 'playwright-core'
import type { ConsoleTab } from './console-tab.ts'

/** A control on the screen. `key` is the same for the same control after a reload. */
interface Control {
  key: string
  kind: 'press' | 'type' | 'refused'
}

/** What is on the screen: its address, what lies on top, and the controls there. */
interface View {
  /** Path and query. */
  address: string
  /** Name of the topmost dialog or menu; empty: the page itself. */
  layer: string
  controls: Control[]
  /** What the page calls itself. */
  headings: string[]
  text: string
}

export interface CrawlOptions {
  /** Where to begin. */
  paths: string[]
  /** Opens a tab of the account; each worker has one. */
  open: () => Promise<ConsoleTab>
  workers: number
  /** What is wrong with a page that is shown, beyond what the browser complains about. */
  findFault?: (view: View) => string | undefined
  /** Whether a complaint of the browser is what this account is about. */
  expects?: (complaint: string) => boolean
}

export interface CrawlReport {
  /** Each with the way that led to it. */
  problems: string[]
  pages: string[]
  pressed: number
}

/** Presses deeper than this are menus of dialogs of menus; there are none. */
const deepest = 3

export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const shared: Shared = { queue: [...options.paths], known: new Set(options.paths), pressed: new Set(), problems: [] }
  let busy = 0
  await Promise.all(
    Array.from({ length: options.workers }, async () => {
      const tab = await options.open()
      const walker = await startWalker(tab, shared, options)
      // A page may still turn up while another worker is at one.
      while (shared.queue.length > 0 || busy > 0) {
        const path = shared.queue.shift()
        if (path === undefined) {
          await nextFrames(tab.page)
          continue
        }
        busy += 1
        try {
          await walker.walk(path, [])
        } finally {
          busy -= 1
        }
      }
      await tab.context.close()
    }),
  )
  return { problems: shared.problems, pages: [...shared.known].sort(), pressed: shared.pressed.size }
}

interface Shared {
  queue: string[]
  known: Set<string>
  pressed: Set<string>
  problems: string[]
}

async function startWalker(tab: ConsoleTab, shared: Shared, options: CrawlOptions) {
  const { page, context, complaints } = tab
  const settle = watchRequests(page)
  // A link into a tab of its own: it was followed, and that is all that is asked of it.
  context.on('page', (other) => void other.close())
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(
    `addEventListener('unhandledrejection', (event) => console.error('unhandled rejection: ' + event.reason))`,
  )

  const look = () => page.evaluate<View>(readView)

  async function reach(path: string, way: string[]): Promise<View> {
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator('main').first().waitFor({ state: 'attached', timeout: patienceMs }).catch(notDrawn)
    await settle()
    for (const key of way) {
      const control = await find(page, key)
      if (!control) break
      await control.click()
      await settle()
    }
    return await look()
  }

  function judge(view: View, way: string): void {
    const found = complaints.splice(0).filter((complaint) => !options.expects?.(complaint))
    const fault = options.findFault?.(view)
    if (fault) found.push(fault)
    const leadsOn = view.controls.some(({ kind }) => kind === 'press' || view.layer !== '')
    if (!leadsOn) found.push('a dead end: nothing here leads on')
    if (view.headings.length === 0 && view.layer === '') found.push('a page without a heading')
    shared.problems.push(...found.map((problem) => `${way}: ${problem}`))
  }

  /** Presses what is there after `way`, and what that opens. */
  async function walk(path: string, way: string[]): Promise<void> {
    const start = await reach(path, way)
    judge(start, [path, ...way].join(' > '))
    let now = start
    for (const control of start.controls) {
      const place = isOfTheFrame(control.key) ? '' : `${patternOf(path)} ${start.layer}`
      const id = `${place} ${control.key}`
      if (shared.pressed.has(id)) continue
      shared.pressed.add(id)
      if (!isSame(now, start)) now = await goBack(start, now)
      if (!isSame(now, start)) now = await reach(path, way)
      const element = await find(page, control.key)
      // Gone by itself meanwhile: a notice, a spinner that ended.
      if (!element) continue
      const steps = [path, ...way, control.key].join(' > ')
      try {
        await press(element, control)
      } catch (error) {
        shared.problems.push(`${steps}: cannot be pressed: ${String(error).split('\n')[0]}`)
        now = await reach(path, way)
        continue
      }
      await settle()
      now = await look()
      judge(now, steps)
      if (now.address !== start.address) discover(now.address)
      else if (now.layer !== start.layer && now.layer !== '' && way.length < deepest) {
        await walk(path, [...way, control.key])
        now = await look()
      }
    }
  }

  /** The quick way back, without loading the page anew: closing what opened, or one step of the history. */
  async function goBack(start: View, now: View): Promise<View> {
    if (now.layer !== start.layer) await page.keyboard.press('Escape')
    else if (now.address !== start.address) await page.goBack({ waitUntil: 'commit' })
    else return now
    await settle()
    return await look()
  }

  function discover(address: string): void {
    const pattern = patternOf(address)
    if ([...shared.known].some((known) => patternOf(known) === pattern)) return
    shared.known.add(address)
    shared.queue.push(address)
  }

  return { walk }
}

async function press(element: ElementHandle, { kind, key }: Control): Promise<void> {
  if (kind === 'type') return await element.fill(sampleText(key))
  const box = await element.boundingBox()
  // Above the window until it has focus: the skip link. It is for the keyboard.
  if (box && box.y + box.height <= 0) return await element.press('Enter')
  await element.click({ timeout: patienceMs * 2, force: kind === 'refused' })
}

const isSame = (a: View, b: View) =>
  a.address === b.address && a.layer === b.layer && a.controls.length === b.controls.length
/** The header's, sidebar's and bottom bar's controls are the same on every page. */
const isOfTheFrame = (key: string) => key.startsWith('frame ')
/** Addresses of one page: whom or what they name does not count, nor where to go on afterwards. */
const patternOf = (address: string) => address.replace(/redirect=[^&]*/, '').replace(/did(:|%3A)key(:|%3A)\w+/g, '*')

function sampleText(key: string): string {
  if (/email/i.test(key)) return 'reef@example.com'
  if (/\b(date|from|to)\b/i.test(key)) return '2026-01-01'
  return /quantity|number|code/i.test(key) ? '2' : 'Tikehau'
}

async function find(page: Page, key: string): Promise<ElementHandle | undefined> {
  const handle = await page.evaluateHandle(
    `(${listControls})().find((control) => control.key === ${JSON.stringify(key)})?.element`,
  )
  return handle.asElement() ?? undefined
}

/** How long a page may load; what is on the screen then is judged. */
const patienceMs = 5000
/** What says that something is still loading: a call that failed is tried again after a moment. */
const loading = '.mantine-Skeleton-root, [data-loading=true]'
/** Only a page that is not there yet is let pass here; the judge finds what it lacks. */
function notDrawn(error: Error): void {
  if (error.name !== 'TimeoutError') throw error
}

/** Resolves when what was asked for is there and drawn. The stream of changes never ends and is not waited for. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>()
  page.on('request', (request) => {
    if (!request.url().includes('/v1/events')) open.add(request)
  })
  const close = (request: unknown) => void open.delete(request)
  page.on('requestfinished', close)
  page.on('requestfailed', close)
  return async () => {
    do await nextFrames(page)
    while (open.size > 0)
    await page.locator('h1').first().waitFor({ state: 'attached', timeout: patienceMs }).catch(notDrawn)
    await page.locator(loading).first().waitFor({ state: 'detached', timeout: patienceMs }).catch(notDrawn)
    // What still fades in lies over the page and is not yet shown itself.
    const until = performance.now() + patienceMs
    do await nextFrames(page)
    while (!(await page.evaluate<boolean>(atRest)) && performance.now() < until)
  }
}

/** Nothing moves but what moves for ever. */
const atRest = `document.getAnimations().every(({ playState, effect }) =>
  playState !== 'running' || effect.getComputedTiming().endTime === Infinity)`

/** Two frames: what an answer changed has been drawn in the second. */
async function nextFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

/** In the page: the controls of the topmost layer, in their order. */
const listControls = `function listControls() {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0
  const open = [...document.querySelectorAll('[role=dialog], [role=menu]')].filter(isShown)
  const top = open.at(-1) ?? document.body
  const selector = 'a[href], button, input:not([type=hidden]), textarea, select, summary, [role=menuitem], [role=menuitemradio], [role=option], [role=tab]'
  const seen = new Map()
  return [...top.querySelectorAll(selector)].filter(isShown).map((element) => {
    const frame = element.closest('nav, header') && !element.closest('main, [role=dialog], [role=menu]') ? 'frame ' : ''
    const card = element.closest('article, tr')?.querySelector('h2, td')?.textContent ?? ''
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
const readView = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const layers = [...document.querySelectorAll('[role=dialog], [role=menu]')].filter(isShown)
  const top = layers.at(-1)
  const nameOf = (element) => element.getAttribute('aria-label') ?? document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ?? element.getAttribute('role')
  return {
    address: location.pathname + location.search,
    layer: top ? nameOf(top) || top.getAttribute('role') : '',
    controls: (${listControls})().map(({ key, kind }) => ({ key, kind })),
    headings: [...document.querySelectorAll('h1')].filter(isShown).map((heading) => heading.textContent),
    text: document.body.innerText,
  }
})()`
