/** One visit of a screen: it is opened once, and every check looks at it. */
import { join } from 'node:path'
import type { Locale } from '@atoll/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { createBarrierFinder } from '../accessibility.ts'
import { desktop, phone } from '../browser.ts'
import { type ConsoleTab, openTab } from '../console-tab.ts'
import { findViewFaults, type View, view } from '../crawl/page-view.ts'
import { goTo } from '../go-to.ts'
import {
  emptyAnswers,
  maillessAnswers,
  overdueAnswers,
  sampleAnswers,
  sampleSession,
} from '../samples/sample-account.ts'
import { friend, owner } from '../samples/sample-facts.ts'
import { heldAnswers, staffAnswers } from '../samples/sample-staff.ts'
import { type ScriptedConsole, startScriptedConsole } from '../scripted-console.ts'
import { type Rest, waitForRest, watchRequests } from '../settled.ts'
import type { ConsoleState } from '../states/console-states.ts'
import { findBarFaults } from './bars.ts'
import { type Breakage, breakages, isOf, startBrokenConsole } from './breakages.ts'
import { findCutLabels } from './cut-labels.ts'
import { findAnswerFaults } from './dialog-answers.ts'
import { walkByKeys } from './keyboard-walk.ts'
import type { Look, Scheme } from './look.ts'
import { findPaperFaults } from './paper.ts'
import { findRepeatedNames } from './repeated-names.ts'
import { findRowFaults } from './rows.ts'

/** A phone with so little height, as beside a keyboard, that its bar may hide what has focus. */
const lowPhone = { ...phone, height: 560 }

/** As much as a phone's browser leaves of its height while its own bars are shown. */
const coveredPhone = { ...phone, height: 664 }

/** A tab that is opened once and shows one screen after the other. */
interface VisitorTab extends ConsoleTab {
  /** Waits until the page that was opened has come to rest. */
  rest: () => Promise<Rest<View>>
}

interface BrokenConsole {
  breakage: Breakage
  server: ScriptedConsole
}

type Reader = NonNullable<ConsoleState['who']> | 'anybody'

export interface Visitor extends AsyncDisposable {
  /**
   * Returns the faults of the screen, each with the screen, language, width, colour scheme and check it was found by;
   * rejects only when no tab can be had. As many screens may be visited at a time as the machine bears: each has a tab
   * of its own meanwhile.
   */
  visit(state: ConsoleState, look: Look): Promise<string[]>
}

/** Starts the servers that screens are opened on. The browser stays the caller's. */
export async function createVisitor(browser: Browser): Promise<Visitor> {
  const sample = await startScriptedConsole(sampleAnswers())
  const overdue = await startScriptedConsole(overdueAnswers())
  const mailless = await startScriptedConsole(maillessAnswers())
  const newcomer = await startScriptedConsole(emptyAnswers())
  const staff = await startScriptedConsole(staffAnswers())
  const held = await startScriptedConsole(heldAnswers())
  const serverOf: Partial<Record<Reader, ScriptedConsole>> = { overdue, mailless, newcomer, staff, held }
  const broken: BrokenConsole[] = []
  for (const breakage of breakages) broken.push({ breakage, server: await startBrokenConsole(breakage) })
  /** Those that show nothing at the moment, by server, reader and language. */
  const idle = new Map<string, VisitorTab[]>()

  /** Runs `use` with a tab. Where that fails the tab is closed, so that no other screen suffers from it. */
  async function withTab(
    { url }: ScriptedConsole,
    reader: Reader,
    locale: Locale,
    use: (tab: VisitorTab) => Promise<boolean>,
  ): Promise<void> {
    const kind = `${url} ${reader} ${locale}`
    const waiting = idle.get(kind) ?? []
    idle.set(kind, waiting)
    const tab = waiting.pop() ?? (await openVisitorTab(browser, url, reader, locale))
    if (await use(tab)) waiting.push(tab)
    else await tab.context.close()
  }

  return {
    async visit(state, look) {
      const faults: string[] = []
      const { who: reader = 'anybody' } = state
      const note: Note = (place, check, problems) =>
        faults.push(...problems.map((problem) => [state.name, look.locale, place, `${check}: ${problem}`].join(', ')))
      await withTab(serverOf[reader] ?? sample, reader, look.locale, (tab) => lookAt(tab, state, look, note))
      // A layer over the page makes calls that the page does not: the crawl presses it on broken servers too.
      if (look.breakage === undefined || state.open || serverOf[reader]) return faults
      const { server, breakage } = broken[look.breakage % broken.length] as BrokenConsole // there is one at least
      await withTab(server, reader, look.locale, (tab) => lookAtBroken(tab, state, breakage, look, note))
      return faults
    },
    async [Symbol.asyncDispose]() {
      for (const each of [sample, ...Object.values(serverOf), ...broken.map(({ server }) => server)])
        await each[Symbol.asyncDispose]()
    },
  }
}

/** Keeps what a check found at a place, such as `390 px, dark`. */
type Note = (place: string, check: string, problems: string[]) => void

/** As whom a staff member, who is `friend`, looks. */
const asOwner = { ...owner, staff: null, look: { accountId: `ac_${'1'.repeat(32)}`, by: friend.userid } }

async function openVisitorTab(browser: Browser, url: string, reader: Reader, locale: Locale): Promise<VisitorTab> {
  const tab = await openTab(browser, url, {
    locale,
    ...(reader === 'nobody' && { accounts: undefined }),
    ...(reader === 'staff' && { accounts: [sampleSession({ staff: 'operator' })] }),
    ...(reader === 'looking' && { accounts: [sampleSession({ ...friend, staff: 'operator' })], look: asOwner }),
  })
  return { ...tab, rest: watchRequests<View>(tab.page, view) }
}

async function openPath(page: Page, path: string, loads: boolean): Promise<void> {
  if (loads) await page.goto(path, { waitUntil: 'commit' })
  else await goTo(page, path)
}

async function show({ page }: ConsoleTab, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ media: 'screen', colorScheme: scheme })
}

/** Returns whether the screen was looked at to the end. */
async function lookAt(tab: VisitorTab, state: ConsoleState, look: Look, note: Note): Promise<boolean> {
  const { page, complaints } = tab
  let at = `${desktop.width} px, ${look.scheme}`
  let shown = look.scheme
  const inScheme = async (scheme: Scheme) => {
    if (scheme === shown) return
    shown = scheme
    await show(tab, scheme)
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
  }
  try {
    await page.setViewportSize(desktop)
    await show(tab, look.scheme)
    // Layers are looked at on pages that are loaded for others.
    await openPath(page, state.path, look.loads && !state.open)
    const { obstacle } = await tab.rest()
    if (obstacle) throw new Error(obstacle)
    await state.open?.(tab)
    const findBarriers = await createBarrierFinder(page)
    for (const window of look.windows) {
      at = `${window.width} px, ${look.scheme}`
      await page.setViewportSize(window)
      const { seen, obstacle: unrest } = await readOpen(tab, state)
      note(at, 'coming to rest', unrest ? [unrest] : [])
      note(at, 'texts and ways on', findViewFaults(seen))
      note(at, 'names', await findRepeatedNames(page))
      if (window.height < 400 && seen.layer === '') note(at, 'bars', await findBarFaults(page))
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      note(at, 'width', wide > 0 ? [`${wide} px wider than the window`] : [])
      for (const { scheme, coloursOnly } of look.searches.filter(({ width }) => width === window.width)) {
        await inScheme(scheme)
        // The page under what opened over it is a screen of its own.
        const layerOnly = state.open !== undefined && seen.layer !== ''
        const barriers = await findBarriers({ coloursOnly, layerOnly })
        note(`${window.width} px, ${scheme}`, 'axe', barriers)
      }
      if (window === desktop && look.paper !== 'no' && !state.open) {
        await inScheme('dark')
        note(`${window.width} px, dark`, 'paper', await findPaperFaults(page, look.paper === 'printed'))
      }
      await inScheme(look.scheme)
      if (window === desktop) await findLabelFaults(page, at, note)
      if (window === phone) {
        await page.setViewportSize(coveredPhone)
        const place = `${coveredPhone.width} x ${coveredPhone.height} px`
        if (seen.layer === '') note(place, 'rows', await findRowFaults(page))
        await findLabelFaults(page, place, note)
        await page.setViewportSize(phone)
      }
      if (window === phone && look.keys) {
        await page.setViewportSize(lowPhone)
        await waitForRest(page)
        note(`${lowPhone.width} x ${lowPhone.height} px, ${look.scheme}`, 'keyboard', await walkByKeys(page))
      }
      note(at, 'browser', complaints.splice(0))
      await takePicture(page, [state.name, look.locale, window.width, look.scheme])
    }
    return true
  } catch (error) {
    note(at, 'visit', [String(error), ...complaints])
    return false
  }
}

/** Checks the answers of the dialog that is open, if one is, and the words of all of the screen. */
async function findLabelFaults(page: Page, place: string, note: Note): Promise<void> {
  note(place, 'answers of a dialog', await findAnswerFaults(page))
  note(place, 'words', await findCutLabels(page))
}

/** Keeps the screen as a picture where `ATOLL_PICTURES` names a folder; what is opened over a page as it stands. */
async function takePicture(page: Page, name: (string | number)[]): Promise<void> {
  const folder = process.env.ATOLL_PICTURES
  if (folder)
    await page.screenshot({ path: join(folder, `${name.join(' ').replaceAll('/', '-')}.png`), fullPage: true })
}

/** Reads the screen in the window it has now. A layer that went with the control of another layout is opened again. */
async function readOpen(tab: VisitorTab, { open }: ConsoleState): Promise<Rest<View>> {
  const rest = await waitForRest<View>(tab.page, { see: view })
  if (!open || rest.seen.layer !== '') return rest
  await open(tab)
  return await waitForRest<View>(tab.page, { see: view })
}

/**
 * Opens the page on a broken server: the failure must be shown, and nothing else may break. Returns whether it came to
 * rest.
 */
async function lookAtBroken(
  tab: VisitorTab,
  state: ConsoleState,
  breakage: Breakage,
  { scheme, loads }: Look,
  note: Note,
): Promise<boolean> {
  await show(tab, scheme)
  await openPath(tab.page, state.path, loads)
  const { obstacle, seen } = await tab.rest()
  const complaints = tab.complaints.splice(0).filter((complaint) => !isOf(breakage, complaint))
  const faults = [...(obstacle ? [obstacle] : []), ...findViewFaults(seen), ...complaints]
  note(`${desktop.width} px, ${scheme}`, breakage.name, faults)
  return obstacle === null
}
