/**
 * How a screen is looked at. The quick tier opens each screen once. The deep tier opens the first of each page once
 * more, in the other language, the whole tier the others. Findings of axe are in a layout and in its colours, so a
 * desk's layout is searched in English and a phone's in Chinese by every rule, and in the deep tier each page's other
 * layout, and its colours in both schemes. Keys and paper are the same in both languages and schemes: of a page each is
 * looked at in one of the two visits.
 */
import type { Locale } from '@atoll/contract/wire'
import { searched } from '../accessibility.ts'
import { desktop, phone } from '../browser.ts'
import { patternOf } from '../crawl/crawler.ts'
import type { ConsoleState } from '../states/console-state.ts'

export type Scheme = 'light' | 'dark'

/** One search by axe while a screen is open. */
export interface BarrierSearch {
  width: number
  scheme: Scheme
  /** The layout was searched by the other rules before. */
  coloursOnly: boolean
}

export interface Look {
  locale: Locale
  /** In which it is opened. */
  scheme: Scheme
  searches: BarrierSearch[]
  /** In which it is shown, one after the other. */
  windows: Window[]
  /** Whether to walk through it with the Tab key. */
  keys: boolean
  /** Whether it is looked at as paper shows it, and whether a PDF is made of it too. */
  paper: 'no' | 'shown' | 'printed'
  /** Which of the broken servers it is opened on afterwards, an index of `breakages`; undefined: none. */
  breakage: number | undefined
  /** Whether the console is reloaded for a page, as from a bookmark; otherwise it is gone to within the console. */
  loads: boolean
}

interface Window {
  width: number
  height: number
}

/** px; the last is 1280 × 1024 at 400 %, the narrowest and lowest that WCAG asks for (1.4.10). */
const quickWindows: Window[] = [desktop, phone, { width: 320, height: 256 }]
const tablet: Window = { width: 768, height: 1024 }

const locales: readonly Locale[] = ['en-US', 'zh-CN']
const otherThan = <T>(all: readonly T[], one: T) => all.find((each) => each !== one) as T // both have two

/**
 * The visit of the quick tier. Languages alternate from row to row of the table, colour schemes every second row; light
 * screens are walked through with the keyboard, dark ones shown on paper, every fourth is opened on a broken server.
 */
export function quickLook(row: number, loads = true): Look {
  const locale: Locale = row % 2 === 0 ? 'en-US' : 'zh-CN'
  const scheme: Scheme = row % 4 < 2 ? 'light' : 'dark'
  return {
    locale,
    scheme,
    windows: quickWindows,
    searches: [{ width: searched[locale].width, scheme, coloursOnly: false }],
    keys: scheme === 'light',
    paper: scheme === 'dark' ? 'shown' : 'no',
    breakage: row % 4 === 0 ? row / 4 : undefined,
    loads,
  }
}

/**
 * Those that the quick tier loads as from a bookmark, the first of each page: other situations of the same page are
 * gone to within the console.
 */
export function findFirstOfPages(states: readonly ConsoleState[]): ReadonlySet<ConsoleState> {
  const first = new Map<string, ConsoleState>()
  for (const state of states) {
    const page = patternOf(state.path)
      .replace(/\b(cl|bk)_\w+/, '*')
      .replace(/^(\/domain\w*)\/\S+/, '$1/*')
    if (!state.open && !first.has(page)) first.set(page, state)
  }
  return new Set(first.values())
}

/**
 * A visit in the other language for the words alone, on a phone, which has the least room for them: situations of a
 * page are made of the same parts.
 */
export function wordsLook(row: number): Look {
  return {
    locale: otherThan(locales, quickLook(row).locale),
    scheme: 'light',
    windows: [phone],
    searches: [],
    keys: false,
    paper: 'no',
    breakage: undefined,
    loads: false,
  }
}

/**
 * The visit of the deep tier, in the other language: all that the quick one of the same row leaves out, and a tablet's
 * width, which changes a page's layout.
 */
export function remainingLook(row: number): Look {
  const quick = quickLook(row)
  const words = wordsLook(row)
  const { width } = searched[words.locale]
  return {
    ...words,
    windows: [...quickWindows, tablet],
    searches: [
      { width, scheme: 'light', coloursOnly: false },
      { width, scheme: 'dark', coloursOnly: true },
    ],
    keys: !quick.keys,
    paper: quick.paper === 'no' ? 'printed' : 'no',
    breakage: quick.breakage === undefined ? row : undefined,
  }
}
