/**
 * Opens each page of the console with the answers of a newer server: every enum holds an unknown word, or the first row
 * of every list cannot be read (design/wire, "Words we do not know yet").
 */
import { resourceInitNew } from '@atoll/contract/clusters'
import type { Call } from '@atoll/contract/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { enumsIn, withNewWords } from '../../packages/contract/src/api/new-words.fixture.ts'
import { forShortPages, launchBrowser } from '../stack/browser.ts'
import { type ConsoleTab, openTab } from '../stack/console-tab.ts'
import { findViewFaults, type View, view } from '../stack/crawl/page-view.ts'
import { goTo } from '../stack/go-to.ts'
import { sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { sampleDomainPath } from '../stack/samples/sample-domains.ts'
import { staffAnswers } from '../stack/samples/sample-staff.ts'
import { createScriptedConsole, type ScriptedConsole } from '../stack/scripted-console.ts'
import { type Rest, watchRequests } from '../stack/settled.ts'
import { consoleStates } from '../stack/states/console-states.ts'
import { consoleTexts } from '../stack/texts.ts'

// More pages at once would only make each slower on two cores.
vi.setConfig({ maxConcurrency: 3 })

type Newer = NonNullable<ScriptedConsole['newer']>
const inAll: Newer = ({ data: schema }, data) => withNewWords(data, enumsIn(schema, data))

/** Makes the first row unreadable in each list of objects that an answer holds or is, those inside rows left out. */
const firstRows: Newer = (_, data) => withoutFirst(data)
function withoutFirst(data: unknown): unknown {
  if (Array.isArray(data)) return typeof data[0] === 'object' ? [{ unreadable: true }, ...data.slice(1)] : data
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withoutFirst(value)]))
}

/** The same in each list inside a row. */
const innerRows: Newer = (_, data) => withoutInner(data, false)
function withoutInner(data: unknown, isRow: boolean): unknown {
  if (Array.isArray(data)) return isRow ? withoutFirst(data) : data.map((row) => withoutInner(row, true))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withoutInner(value, isRow)]))
}

const words = 'new words in all enums'
const rows = 'first rows that cannot be read'
const inside = 'rows inside rows that cannot be read'
const kinds = new Map<string, Newer>([
  [words, inAll],
  [rows, firstRows],
  [inside, innerRows],
])
const ofStaff = (kind: string) => `${kind}, staff`

/** Without that of the wallet's web view: at a step that is not known there is nothing to do, and no other page. */
const pathsOf = (reader: 'staff' | undefined) => [
  ...new Set(consoleStates.filter(({ who }) => who === reader).map(({ path }) => path)),
]
const staffPaths = pathsOf('staff')
const paths = [...pathsOf(undefined).filter((path) => !path.startsWith('/domainMobile/')), ...staffPaths]

let browser: Browser | undefined
const servers = new Map<string, ScriptedConsole>()
/** Tabs that show a page of a kind which nobody looks at any more: the next page is opened from there. */
const idle = new Map<string, NewerTab[]>()
interface NewerTab extends ConsoleTab {
  rest: () => Promise<Rest<View>>
}
beforeAll(async () => {
  browser = await launchBrowser([forShortPages])
  for (const [name, newer] of kinds) {
    for (const [kind, answers] of [
      [name, sampleAnswers()],
      [ofStaff(name), staffAnswers()],
    ] as const) {
      const server = createScriptedConsole(answers)
      server.newer = newer
      await server.listen()
      servers.set(kind, server)
    }
  }
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers.values()) await server[Symbol.asyncDispose]()
})

async function openNewerTab(kind: string): Promise<NewerTab> {
  const server = servers.get(kind)
  if (!server || !browser) throw new Error('a page is looked at by a test')
  const isStaff = !kinds.has(kind)
  const tab = await openTab(browser, server.url, isStaff ? { accounts: [sampleSession({ staff: 'operator' })] } : {})
  return { ...tab, rest: watchRequests<View>(tab.page, view) }
}

async function look(name: string, path: string): Promise<{ faults: string[]; text: string }> {
  const kind = staffPaths.includes(path) ? ofStaff(name) : name
  const tab = idle.get(kind)?.pop() ?? (await openNewerTab(kind))
  await goTo(tab.page, path)
  const { seen, obstacle } = await tab.rest()
  const faults = [...(obstacle ? [obstacle] : []), ...findViewFaults(seen), ...tab.complaints.splice(0)]
  // No other page is to suffer from one that has a fault.
  if (faults.length === 0) idle.set(kind, [...(idle.get(kind) ?? []), tab])
  else await tab.context.close()
  return { faults, text: seen.text }
}

it.concurrent.for(paths)('the console shows with new words in all enums the page %s', async (path, { expect }) => {
  expect((await look(words, path)).faults).toEqual([])
})

/** Pages with lists, and how many each shows: a row of each of them cannot be read. */
const listed: [path: string, lists: number][] = [
  ['/', 1],
  ['/instance', 1],
  ['/sessions', 1],
  ['/activity', 1],
  ['/backup', 1],
  ['/backupDetails/bk_sample0002', 1],
  ['/domains', 2],
  ['/alerts', 1],
  ['/bill', 1],
  ['/bill?tab=payments', 1],
  ['/bill?tab=subscriptions', 1],
  ['/balanceDetail', 2],
  ['/payment/pay_sample0030', 2],
  ['/subscriptions/sub_sample002', 1],
  ['/usage', 2],
  ['/create?step=hardware', 2],
  // Plans, cards, what comes, the next bill and those that were.
  ['/billing', 5],
  [sampleDomainPath('proving'), 2],
  // Members, certificates, records, those of the owner, and answers.
  [sampleDomainPath('inUse'), 5],
]

it.concurrent.for(listed)(
  'a row that cannot be read is shown as one in each list at %s',
  async ([path, lists], { expect }) => {
    const { faults, text } = await look(rows, path)
    expect(faults).toEqual([])
    const shown = text.split(consoleTexts('en-US')('common.unreadable')).length - 1
    expect(shown, path).toBe(lists)
  },
)

/** Pages with lists inside rows: the rows around them stay, and each list says what it lacks. */
const listedInside: [path: string, row: string, lists: number][] = [
  ['/instance', 'Rangiroa', 0],
  ['/alerts', 'Rangiroa', 3],
  ['/create?step=hardware', 'Provider', 1],
  [sampleDomainPath('inUse'), 'jonas@lagoon.example', 2],
]

it.concurrent.for(listedInside)(
  'a row whose own list lacks a row stays, and says so, at %s',
  async ([path, row, lists], { expect }) => {
    const { faults, text } = await look(inside, path)
    expect(faults).toEqual([])
    expect(text).toContain(row)
    expect(text.split(consoleTexts('en-US')('common.unreadable')).length - 1, path).toBe(lists)
  },
)

it('an unknown status is grey with its word, and an unknown currency is a dash', async () => {
  const server = servers.get(words)
  const call: Call = resourceInitNew
  expect(enumsIn(call.data, sampleAnswers().get(call)).length).toBeGreaterThan(20)
  const { text } = await look(words, '/')
  expect(text).toContain('brandNewWord')
  expect(server?.asked).toContain(call.path)
  const bill = await look(words, '/bill')
  expect(bill.text).toContain('brandNewWord')
  expect(bill.text).not.toContain('$')
})
