import type { Locale } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { walletTexts } from '../texts.ts'

export const passcode = '271828'

/** The wallet as a person uses it: by what the screen says. */
export function walletApp(page: Page, locale: Locale) {
  const t = walletTexts(locale)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

  async function typePasscode(): Promise<void> {
    const keypad = page.getByRole('group', { name: t('passcode.keypad') })
    for (const digit of passcode) await keypad.getByRole('button', { name: digit, exact: true }).click()
  }

  const app = {
    t,
    press,
    heading,
    typePasscode,

    /** From an empty wallet to a bound ID such as `reef@atoll.test`: words, check, passcode, registration, ID. */
    async createIdentity(origin: string, id: string): Promise<{ words: string[] }> {
      await page.goto(origin)
      return await app.setUpIdentity(id)
    },

    /** The same from the screen that welcomes. */
    async setUpIdentity(id: string): Promise<{ words: string[] }> {
      await press(t('welcome.create'))
      await heading(t('words.title'))
      await press(t('words.show'))
      const words = await page.getByRole('listitem').allInnerTexts()
      const spoken = words.map((word) => word.replace(/[^a-z]/g, ''))
      await press(t('words.written'))

      await heading(t('check.title'))
      let asked = 0
      for (const [at, word] of spoken.entries()) {
        const field = page.getByLabel(t('check.word', { number: at + 1 }), { exact: true })
        if ((await field.count()) === 0) continue
        asked += 1
        await field.fill(word)
      }
      if (asked !== 2) throw new Error(`${asked} words were asked back, not two`)
      await press(t('act.continue'))

      await heading(t('passcode.chooseTitle'))
      await typePasscode()
      await heading(t('passcode.repeatTitle'))
      await typePasscode()

      await heading(t('bind.title'))
      // Said before: with an ID no domain of one's own can be linked.
      await page.getByText(t('bind.oneOrOther'), { exact: true }).waitFor()
      const [local = ''] = id.split('@')
      await page.getByLabel(t('bind.label'), { exact: true }).fill(local)
      await page.getByText(t('bind.free', { name: id }), { exact: true }).waitFor()
      await press(t('bind.submit', { name: id }))
      await heading(t('bind.doneTitle', { name: id }))
      return { words: spoken }
    },

    /** From an empty wallet to an identity without an ID, by its words. */
    async importIdentity(origin: string, mnemonic: string): Promise<void> {
      await page.goto(origin)
      await press(t('welcome.import'))
      await page.getByLabel(t('import.label'), { exact: true }).fill(mnemonic)
      await press(t('import.submit'))
      await heading(t('passcode.chooseTitle'))
      await typePasscode()
      await heading(t('passcode.repeatTitle'))
      await typePasscode()
      await heading(t('bind.title'))
      await press(t('act.later'))
      await heading(t('home.title'))
    },

    async goHome(): Promise<void> {
      const done = page.getByRole('button', { name: t('act.done'), exact: true })
      if (await done.isVisible()) await done.click()
      await heading(t('home.title'))
    },

    /** Opens the scanner; the camera must show a code. Returns when the approval screen is there. */
    async scan(action: 'SignIn' | 'Activation'): Promise<void> {
      await press(t('act.scan'))
      await heading(t(`approve.title${action}`))
    },

    async pasteCode(text: string): Promise<void> {
      await press(t('act.scan'))
      await press(t('scan.paste'))
      await page.getByLabel(t('scan.pasteLabel'), { exact: true }).fill(text)
      await press(t('scan.pasteGo'))
    },

    /** Types the number shown beside the code on the other screen, when there is one, and approves. */
    async approve(matchNumber = ''): Promise<void> {
      const keypad = page.getByRole('group', { name: t('passcode.keypad') })
      for (const digit of matchNumber) await keypad.getByRole('button', { name: digit, exact: true }).click()
      await press(t('approve.approve'))
    },

    async waitUntilSigned(): Promise<void> {
      await heading(t('signed.title'))
    },
  }
  return app
}
