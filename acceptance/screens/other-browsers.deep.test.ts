/** A first user's way in the engines of Firefox and Safari: the other files use Chromium. */
import type { Locale } from '@atoll/contract/wire'
import { listInstances, type ServerProcess, startServer, whyNoOtherBrowsers } from '@atoll/testkit'
import { statusLabels } from '@atoll/texts/statuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passcode } from '../stack/apps/wallet-app.ts'
import { launchFirefox } from '../stack/engines/firefox.ts'
import { type Person, personAt } from '../stack/engines/person.ts'
import type { Engine, Tab } from '../stack/engines/tab.ts'
import { launchWebkit } from '../stack/engines/webkit.ts'
import { consoleTexts, walletTexts } from '../stack/texts.ts'

const engines: { name: string; locale: Locale; launch: () => Promise<Engine> }[] = [
  { name: 'Firefox', locale: 'zh-CN', launch: () => launchFirefox('zh-CN') },
  { name: 'WebKit', locale: 'en-US', launch: launchWebkit },
]

const missing = whyNoOtherBrowsers()

let server: ServerProcess
beforeAll(async () => {
  if (missing === undefined) server = await startServer()
})
afterAll(() => server?.dispose())

describe.each(engines)(
  'a new user in $name, in $locale',
  { skip: missing !== undefined },
  ({ name, locale, launch }) => {
    const console = consoleTexts(locale)
    const wallet = walletTexts(locale)
    const id = `${name.toLowerCase()}@atoll.test`
    const cluster = 'Rangiroa'
    let engine: Engine
    let pocket: Tab
    let harness: Tab
    let holder: Person
    let user: Person
    beforeAll(async () => {
      engine = await launch()
      pocket = await engine.openTab()
      harness = await engine.openTab()
      holder = personAt(pocket)
      user = personAt(harness)
    })
    afterAll(() => engine?.[Symbol.asyncDispose]())

    it('makes an identity in the wallet and binds an ID', async () => {
      await pocket.bringToFront()
      await pocket.open(server.walletUrl)
      await holder.press('button', wallet('welcome.create'))
      await holder.press('button', wallet('words.show'))
      await holder.waitFor('button', wallet('words.written'))
      const list = await holder.read(
        'the words',
        `[...document.querySelectorAll('li')].map((one) => one.innerText).join()`,
      )
      const words = list.split(',').map((word) => word.replace(/[^a-z]/g, ''))
      expect(words).toHaveLength(12)
      await holder.press('button', wallet('words.written'))
      await holder.waitFor('heading', wallet('check.title'))
      for (const [at, word] of words.entries()) {
        const label = wallet('check.word', { number: at + 1 })
        if (await holder.sees('field', label)) await holder.fill(label, word)
      }
      await holder.press('button', wallet('act.continue'))
      for (const title of ['chooseTitle', 'repeatTitle'] as const) {
        await holder.waitFor('heading', wallet(`passcode.${title}`))
        for (const digit of passcode) await holder.press('button', digit)
      }
      await holder.waitFor('heading', wallet('bind.title'))
      await holder.fill(wallet('bind.label'), name.toLowerCase())
      await holder.press('button', wallet('bind.submit', { name: id }))
      await holder.waitFor('heading', wallet('bind.doneTitle', { name: id }))
    })

    it('signs in with it', async () => {
      await harness.bringToFront()
      await harness.open(server.url)
      await user.waitFor('heading', console('login.title'))
      const code = await user.read(
        'the code',
        `document.querySelector('a[href^="${server.walletUrl}"][href*="#"]')?.href`,
      )
      await user.keepPicture(`${name}-sign-in`)
      await pocket.bringToFront()
      await pocket.open(code)
      await holder.waitFor('heading', wallet('approve.titleSignIn'))
      await holder.keepPicture(`${name}-approve`)
      await holder.press('button', wallet('approve.approve'))
      // The link opened the wallet again, so it is locked.
      for (const digit of passcode) await holder.press('button', digit)
      await holder.waitFor('heading', wallet('signed.title'))
      await harness.bringToFront()
      // Offered where there is no cluster: until the list is there, the way to create stands elsewhere.
      await user.waitFor('link', console('home.ownMachine'))
    })

    it('creates a cluster, which comes up before their eyes', async () => {
      await user.press('link', console('home.create'))
      for (const step of ['toHardware', 'toReview'] as const) await user.press('link', console(`create.${step}`))
      await user.fill(console('create.name'), cluster)
      await user.press('button', console('create.do', { name: cluster }))
      const label = statusLabels[locale].inactivated
      await user.waitFor('text', label, { role: 'card', name: cluster })
      await user.keepPicture(`${name}-created`)
      expect(listInstances(server.dataDir).length).toBeGreaterThan(0)
    })
  },
)
