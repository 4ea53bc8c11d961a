/** Every page of the console in a language whose texts are longer: nothing is cut, and no word is in the source. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { launchBrowser } from '../stack/browser.ts'
import { openTab } from '../stack/console-tab.ts'
import { goTo } from '../stack/go-to.ts'
import { findUntranslated, pseudoText, speakPseudo } from '../stack/pseudo-language.ts'
import { sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { staffAnswers } from '../stack/samples/sample-staff.ts'
import { findCutWords } from '../stack/screens/cut-labels.ts'
import { findFirstOfPages } from '../stack/screens/look.ts'
import { startScriptedConsole } from '../stack/scripted-console.ts'
import { watchRequests } from '../stack/settled.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]{4,}/g) ?? []
/** Texts that are not the console's alone: those it shares with the server, and the guide. */
const otherTexts = globSync(['../../packages/texts/en-US/shared/*.json', '../../docs/user/*/*.md'], {
  cwd: fileURLToPath(new URL('.', import.meta.url)),
}).map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
/** The browser's own, and what is the same in every language. */
const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month).toLocaleString('en', { month: 'long' }))
const alike = [...months, 'Ctrl', 'English']

it('marks each text, keeps its placeholders, and makes it longer', () => {
  expect(pseudoText('Stop {name}?')).toBe('Štóp {name}? óé')
  expect(pseudoText('GB')).toBe('GB')
})

it.each([
  { who: undefined, answers: sampleAnswers },
  { who: 'staff', answers: staffAnswers },
] as const)('no page of the console is cut or untranslated: $who', async ({ who, answers }) => {
  await using browser = { own: await launchBrowser(), [Symbol.asyncDispose]: () => browser.own.close() }
  await using server = await startScriptedConsole(answers())
  const { page, context } = await openTab(browser.own, server.url, {
    ...(who === 'staff' && { accounts: [sampleSession({ staff: 'operator' })] }),
    viewport: { width: 1280, height: 900 },
  })
  await speakPseudo(context)
  const known = new Set([...otherTexts, ...alike].flatMap(wordsOf))
  const answered: Promise<string>[] = []
  page.on('response', (response) => {
    // One that the end of the test cuts off is asked by nobody; any other would leave its words unknown, and fail it.
    if (response.request().method() === 'POST') answered.push(response.text().catch(() => ''))
  })
  const rest = watchRequests(page, 'undefined')
  await page.goto('/')
  await rest()
  const faults: string[] = []
  for (const state of findFirstOfPages(consoleStates.filter((one) => one.who === who && !one.open))) {
    await goTo(page, state.path)
    expect((await rest()).obstacle, state.name).toBeNull()
    for (const answer of await Promise.all(answered.splice(0))) for (const word of wordsOf(answer)) known.add(word)
    const found = [...(await findCutWords(page)), ...(await findUntranslated(page, known))]
    faults.push(...found.map((fault) => `${state.name}: ${fault}`))
  }
  expect(faults).toEqual([])
  expect(await page.innerText('body')).toContain('óé')
  await page.evaluate(`document.body.append('Words of the source')`)
  expect(await findUntranslated(page, known)).toEqual(['Words of the source'])
})
