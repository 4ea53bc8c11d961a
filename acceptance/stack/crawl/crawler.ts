/**
 * Presses every control of every page that can be reached, like a person who tries everything once. A control is known
 * by its name and place, so that the header's are pressed once, a card's once per card, and those that several
 * clusters' pages have in common once in all, except their tabs. A layer over the page (a menu, a dialog, the palette)
 * is pressed through too, a dialog once wherever it opens. One tab, one press after the other: a crawl of the same
 * account takes the same way each time.
 */
import type { ConsoleTab } from '../console-tab.ts'
import { goTo } from '../go-to.ts'
import { watchRequests } from '../settled.ts'
import { type Control, findControl, findViewFaults, type View, view } from './page-view.ts'

export interface CrawlOptions {
  /** Where to begin; what they lead to is walked after them, as far as it is `within`. */
  paths: string[]
  within?: (address: string) => boolean
  /**
   * Whether to press the header's, sidebar's and bottom bar's controls, which are the same on every page; each once.
   */
  frame: boolean
  /** Whether a complaint of the browser is what this account is about. */
  expects?: (complaint: string) => boolean
}

export interface CrawlReport {
  /** Each with the way that led to it. */
  problems: string[]
  pages: string[]
  /** Addresses that pages led to and that were not walked. */
  left: string[]
  pressed: number
}

/** A press on the way from a page to what lies over it, and what that opened. */
interface Step {
  key: string
  layer: string
}

/** In the page: what the browser keeps of it, as text. */
const storage = 'JSON.stringify(Object.entries(localStorage).sort())'
/** Presses deeper than this are menus of dialogs of menus; there are none. */
const deepest = 3
/** How long a control that is on the screen may refuse to be pressed, ms. */
const pressMs = 10_000

/** Crawls in `tab`, which is closed at the end. */
export async function crawl(tab: ConsoleTab, options: CrawlOptions): Promise<CrawlReport> {
  const crawler = await startCrawler(tab, options)
  for (const path of crawler.pages) await crawler.walk(path)
  await tab.context.close()
  const { problems, pages, left, pressed } = crawler
  return { problems, pages: [...pages].sort(), left: [...left].sort(), pressed: pressed.size }
}

async function startCrawler({ page, context, complaints }: ConsoleTab, options: CrawlOptions) {
  const pages = new Set(options.paths)
  const left = new Set<string>()
  const patterns = new Set(options.paths.map(patternOf))
  /** Findings of a press on the pages it led to. */
  const shown = new Map<string, View>()
  const pressed = new Set<string>()
  const problems: string[] = []
  const rest = watchRequests<View>(page, view)
  /** The entry of the tab's history that the page being walked is. */
  let home = ''
  /** The browser storage of a person who was never here. */
  let kept: string | undefined
  // The pages of a bank: nobody is there, and the browser stays. Not by `route`, which turns the browser's cache off.
  await page.addInitScript(
    `navigation.addEventListener('navigate', (event) =>
      new URL(event.destination.url).origin !== location.origin && event.preventDefault())`,
  )
  // A tab that a page opened is closed at once. Links into one are not followed: the page behind it would draw one
  // frame a second from then on.
  context.on('page', (other) => void other.close())
  await page.addInitScript(
    `addEventListener('click', (event) => event.target.closest('a[target=_blank]') && event.preventDefault(), true)`,
  )
  page.on('dialog', (dialog) => void dialog.accept())
  await page.addInitScript(
    `addEventListener('unhandledrejection', (event) => console.error('unhandled rejection: ' + event.reason))`,
  )

  /** The view once the page rests. */
  async function readView(): Promise<View> {
    const { obstacle, seen } = await rest()
    if (obstacle) complaints.push(`the page does not come to rest: ${obstacle}`)
    return seen
  }

  /** Opens `path` as somebody who was never here, within the console while it remembers nothing, and goes `way`. */
  async function open(path: string, way: Step[]): Promise<View> {
    if (kept === undefined || (await page.evaluate<string>(storage)) !== kept) return await load(path, way)
    await goTo(page, path)
    return await begin(way)
  }

  /** The same, with the console reloaded. */
  async function load(path: string, way: Step[]): Promise<View> {
    if (page.url() !== 'about:blank') await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await page.goto(path, { waitUntil: 'commit' })
    return await begin(way)
  }

  async function begin(way: Step[]): Promise<View> {
    const now = await readView()
    kept ??= await page.evaluate<string>(storage)
    home = now.entry
    return await go(way, now)
  }

  async function go(way: Step[], from: View): Promise<View> {
    let now = from
    for (const { key, layer } of way) {
      await press({ kind: 'press', key })
      now = await readView()
      if (now.layer !== layer) throw new Error(`${key} opened ${layer}, and now ${now.layer || 'nothing'}`)
    }
    return now
  }

  function judge(view: View, way: string): void {
    const found = complaints.splice(0).filter((complaint) => !options.expects?.(complaint))
    found.push(...findViewFaults(view))
    problems.push(...found.map((problem) => `${way}: ${problem}`))
  }

  /** Opens a page and presses what is there, and what that opens. */
  async function walk(path: string): Promise<void> {
    const before = shown.get(path)
    if (before && controlsLeft(path, before).length === 0) return
    try {
      const start = await open(path, [])
      judge(start, path)
      await pressAll(path, [], start)
    } catch (error) {
      problems.push(`${path}: cannot be opened: ${reasonOf(error)}`)
    }
  }

  /** The key of one control, wherever it appears again. */
  function idOf(path: string, { layer, controls }: View, key: string): string {
    if (isOfTheFrame(key)) return key
    // Tabs are pressed once a page, not from each other once more.
    if (key.startsWith('tab ')) return `${path.split('?')[0]} ${key}`
    // A filter's menu is named after what was chosen, and begins with the same choice always.
    if (key.startsWith('menuitemradio ')) return `${placeOf(path)} menu ${controls[0]?.key} ${key}`
    return `${layer.startsWith('dialog ') ? layer : `${placeOf(path)} ${layer}`} ${key}`
  }

  /** The controls that are to be pressed and were not yet. */
  function controlsLeft(path: string, view: View): Control[] {
    const isLeft = (key: string) => (isOfTheFrame(key) ? options.frame : true) && !pressed.has(idOf(path, view, key))
    return view.controls.filter(({ key }) => isLeft(key))
  }

  /** Presses what `start` has, which is what `way` leads to. */
  async function pressAll(path: string, way: Step[], start: View): Promise<void> {
    // Unknown after a press that failed.
    let now: View | undefined = start
    for (const control of controlsLeft(path, start)) {
      const { key } = control
      const id = idOf(path, start, key)
      if (pressed.has(id)) continue
      pressed.add(id)
      const name = [path, ...way.map((step) => step.key), key].join(' > ')
      const from: View | undefined = now
      const found = async (): Promise<boolean> =>
        from !== undefined && (await goBack(start, way, from)) && (await findControl(page, key)) !== undefined
      const reopened = async (): Promise<Control> => counterpart(control, start, await open(path, way))
      const reloaded = async (): Promise<Control> => counterpart(control, start, await load(path, way))
      try {
        // Once more from the page loaded again: a busy machine may miss what comes late. A fault of the page stays.
        now = await pressAndRead(async () => ((await found()) ? control : await reopened())).catch(() =>
          pressAndRead(reloaded),
        )
      } catch (error) {
        now = undefined
        problems.push(`${name}: cannot be pressed: ${reasonOf(error)}`)
        continue
      }
      judge(now, name)
      if (now.address !== start.address) discover(now)
      else if (now.layer !== start.layer && now.layer !== '' && way.length < deepest) {
        await pressAll(path, [...way, { key, layer: now.layer }], now)
        now = await readView()
      }
    }
  }

  async function pressAndRead(reach: () => Promise<Control>): Promise<View> {
    await press(await reach())
    return await readView()
  }

  async function press({ kind, key }: Control): Promise<void> {
    const until = performance.now() + pressMs
    for (;;) {
      const element = await findControl(page, key)
      if (!element) {
        // A page that did not load asks again from time to time, and is busy meanwhile: at rest it has its controls.
        const { controls } = await readView()
        if (controls.some((control) => control.key === key)) continue
        throw new Error('it was there, and is not when the page is opened again')
      }
      try {
        // A switch that was pressed before may have closed it.
        if (kind === 'type' && !(await element.isEnabled())) throw new Error('it is disabled by now')
        if (kind === 'type') return await element.fill(sampleText(key), { timeout: pressMs })
        const box = await element.boundingBox()
        // Above the window until it has focus: the skip link. It is for the keyboard.
        if (box && box.y + box.height <= 0) return await element.press('Enter')
        return await element.click({ timeout: pressMs, force: kind === 'refused' })
      } catch (error) {
        // Redrawn between finding and pressing: a person would press what is there now.
        if (performance.now() > until || !String(error).includes('not attached')) throw error
      }
    }
  }

  /**
   * The quick way back, without loading the page again: closing what opened, one step of the history, and `way` again.
   */
  async function goBack(start: View, way: Step[], from: View): Promise<boolean> {
    let now = from
    if (now.remembered !== start.remembered) return false
    if (now.layer !== '' && now.layer !== start.layer) {
      await page.keyboard.press('Escape')
      now = await readView()
    }
    if (now.entry !== home) {
      await page.goBack({ waitUntil: 'commit' })
      now = await readView()
    } else if (now.address !== start.address) {
      // A filter took the place of the page in the history, as now the page takes the place of the filter.
      await page.evaluate(`history.replaceState(null, '', ${JSON.stringify(start.address)})`)
      now = await readView()
    }
    if (now.address !== start.address || now.entry !== home) return false
    if (now.layer === '' && way.length > 0) now = await go(way, now)
    return now.layer === start.layer
  }

  function discover(view: View): void {
    const { address } = view
    if (view.layer === '') shown.set(address, view)
    const pattern = patternOf(address)
    if (patterns.has(pattern)) return
    patterns.add(pattern)
    if (options.within?.(address) ?? true) pages.add(address)
    else left.add(address)
  }

  return { walk, pages, left, pressed, problems }
}

/**
 * `control` of `before` as `again` has it: at its place when it says something else by now, such as another reason.
 */
function counterpart(control: Control, before: View, again: View): Control {
  const isThere = again.controls.some(({ key }) => key === control.key)
  if (isThere || again.controls.length !== before.controls.length) return control
  return again.controls[before.controls.indexOf(control)] ?? control
}

const isOfTheFrame = (key: string) => key.startsWith('frame ')
/** The parts of an address that name a part of a page. */
const parts = ['tab', 'step', 'flavour']
/** Parts of an address that a person chose or typed, which make no other page of it. */
const choices = ['redirect', 'name', 'cloud', 'region', 'offering', 'version']

/** Addresses of one page: whom they name, what was chosen on the way and what a list is filtered by do not count. */
export function patternOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://console')
  const query = [...searchParams]
    .filter(([name]) => !choices.includes(name))
    .map(([name, value]) => `${name}=${parts.includes(name) ? value : '*'}`)
  // One bill, payment or subscription stands for all of them: lists lead to dozens.
  const path = decodeURIComponent(pathname).replace(/did:key:\w+|\b(iv|pay|sub)_\w+/, '*')
  return [path, ...query.sort()].join(' ')
}

/**
 * The controls that tabs and filtered lists share with their page are its own, those of one cluster or backup every
 * cluster's or backup's.
 */
const placeOf = (path: string) =>
  patternOf(path)
    .replace(/\b(cl|bk)_\w+/, '*')
    .replace(/ (?!step|flavour)\w+=\S*/g, '')

/** The message of a failed press, with the element that lay in the way. */
function reasonOf(error: unknown): string {
  const lines = String(error).split('\n')
  const obstacle = lines.find((line) => line.includes('intercepts pointer events'))
  return [lines[0], obstacle?.trim()].filter(Boolean).join(' ')
}

function sampleText(key: string): string {
  if (/email/i.test(key)) return 'reef@example.com'
  if (/\b(date|from|to)\b/i.test(key)) return '2026-01-01'
  return /quantity|number|code/i.test(key) ? '2' : 'Tikehau'
}
