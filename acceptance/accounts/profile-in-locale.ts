/** Ending sessions, and the profile, in real browsers against a real server. */
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activeLogin, emailShow, SignedIn, sessionRevokeAll, userInfo } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import { createSignInCode, until } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturesOf } from '../stack/accessibility.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, keepPicture, openScreen, phone } from '../stack/browser.ts'
import { createPerson, type Person } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { useStack } from '../stack/use-stack.ts'

export const stack = useStack({ browser: true })

/** A picture by its name, of 50 MB by its size. */
const fiftyMegabytes = join(tmpdir(), `atoll-huge-${process.pid}.jpg`)
beforeAll(() => {
  writeFileSync(fiftyMegabytes, '')
  truncateSync(fiftyMegabytes, 50 * 1024 * 1024)
})
afterAll(() => rmSync(fiftyMegabytes, { force: true }))

export const picture = picturesOf('identity')

/** A page of the console on which this person is signed in, in a session of its own. */
async function openAs(person: Person, locale: Locale, path: string, viewport = desktop) {
  const { page, context, complaints } = await openScreen(stack.browser, { locale, viewport })
  const code = createSignInCode(stack.server.url)
  await person.wallet.approve(code.request)
  // Asked for by the browser itself: its name is in the list of sessions.
  const answer = await context.request.post(`${stack.server.url}${activeLogin.path}`, {
    data: { secret: code.secret },
    headers: { 'user-agent': await page.evaluate<string>('navigator.userAgent') },
  })
  await holdSession(context, SignedIn.parse((await answer.json()).data))
  await page.goto(`${stack.server.url}${path}`)
  const app = consoleApp(page, locale)
  return { page, app, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** Sessions and profile of a person who reads `locale`: describe blocks of the file that calls it. */
export function describeProfile(locale: Locale): void {
  describe(`sessions, in ${locale}`, () => {
    it('are listed in words and ended at once, wherever they are open', async () => {
      const person = await createPerson(stack.server.url)
      await using here = await openAs(person, locale, '/sessions')
      await using there = await openAs(person, locale, '/sessions', phone)
      const { app, page } = here
      await app.heading(app.t('sessions.title')).waitFor()
      await there.app.heading(app.t('sessions.title')).waitFor()
      // A sign-in elsewhere is seen when the page is loaded again.
      await page.reload()
      await page.getByText(app.t('sessions.current'), { exact: true }).waitFor()
      const others = page.getByRole('button', { name: app.t('sessions.revoke'), exact: false })
      await picture(page, `${locale}-sessions`)
      await picture(there.page, `${locale}-sessions-phone`)

      // Every other session: this person's program, and the phone.
      await app.button(app.t('sessions.revokeOthers')).click()
      const question = app.dialog(app.t('sessions.revokeOthersTitle'))
      await picture(page, `${locale}-sessions-question`)
      const moved = there.page.waitForURL(
        (url) => decodeURIComponent(url.pathname) === `/login/${person.session.userid}`,
      )
      const nowhereElse = page.getByText(app.t('sessions.nowhereElse'), { exact: true })
      // The change arrives before the answer, and the toast is shown all the same.
      await page.route(`**${sessionRevokeAll.path}`, async (route) => {
        const response = await route.fetch()
        await nowhereElse.waitFor()
        await route.fulfill({ response })
      })
      const toast = page.getByText(app.t('sessions.othersRevoked_other', { count: 2 }), { exact: true }).waitFor()
      await question.getByRole('button').last().click()
      await Promise.all([moved, nowhereElse.waitFor(), toast])
      expect(await others.count()).toBe(0)
      // Once, without a loop: the page stays where a code is shown, and asks nothing in vain.
      await there.app.matchNumber()
      await there.page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
      expect([here.complaints, there.complaints]).toEqual([[], []])
    })
  })

  describe(`the profile, in ${locale}`, () => {
    it('links an email address by the code that the outbox holds', async () => {
      const person = await createPerson(stack.server.url)
      await using tab = await openAs(person, locale, '/profile')
      const { app, page } = tab
      const t = app.t
      const email = `reader.${locale.toLowerCase()}@lagoon.example`
      await app.button(t('profile.emailLink')).click()
      const address = page.getByLabel(t('profile.address'), { exact: true })
      await address.fill('lena@localhost')
      await app.button(t('profile.sendCode')).click()
      await page.getByText(errorMessage('emailMalformed', locale), { exact: true }).first().waitFor()
      await address.fill(email)
      await app.button(t('profile.sendCode')).click()
      await page.getByText(t('profile.mailSent', { email }), { exact: true }).waitFor()
      await picture(page, `${locale}-email-code`)

      const [outbox] = await Promise.all([
        page.context().waitForEvent('page'),
        app.link(t('profile.openOutbox')).click(),
      ])
      const mail = outbox.getByRole('article').filter({ hasText: email })
      const [code = ''] = /\d{6}/.exec(await mail.getByRole('heading').innerText()) ?? []
      await picture(outbox, `${locale}-outbox`)
      const source = await mail.locator('iframe').getAttribute('src')
      await outbox.goto(`${stack.server.url}${source}`)
      // Nothing runs in it, not even the search for barriers.
      await keepPicture(outbox, `identity-${locale}-mail`)
      await outbox.emulateMedia({ colorScheme: 'dark' })
      await keepPicture(outbox, `identity-${locale}-mail-dark`)
      await outbox.close()

      const field = page.getByLabel(t('profile.code'), { exact: true })
      await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
      await app.button(t('profile.verify')).click()
      await page
        .getByText(errorMessage('emailCodeWrong', locale, { left: 4 }), { exact: true })
        .first()
        .waitFor()
      await field.fill(code)
      await app.button(t('profile.verify')).click()
      await page.getByRole('status').getByText(t('profile.emailLinked'), { exact: true }).waitFor()
      await page.getByText(email, { exact: true }).waitFor()
      await app.button(t('profile.emailChange')).waitFor()
      expect((await person.api.ask(userInfo, {})).email).toBe(email)
      await app.button(t('profile.emailRemove')).click()
      await page.getByText(t('profile.noEmail'), { exact: true }).waitFor()
      expect(tab.complaints).toEqual([])
    })

    it('lets a code that is awaited be given up', async () => {
      const person = await createPerson(stack.server.url)
      await using tab = await openAs(person, locale, '/profile')
      const { app, page } = tab
      const t = app.t
      const email = `mistyped.${locale.toLowerCase()}@lagoon.example`
      await app.button(t('profile.emailLink')).click()
      await page.getByLabel(t('profile.address'), { exact: true }).fill(email)
      await app.button(t('profile.sendCode')).click()
      await page.getByText(t('profile.mailSent', { email }), { exact: true }).waitFor()
      await app.button(t('profile.cancel')).click()
      await app.button(t('profile.emailLink')).waitFor()
      expect(await page.getByLabel(t('profile.code'), { exact: true }).count()).toBe(0)
      expect(await person.api.ask(emailShow, {})).toEqual({ email: null, pending: null })
      expect(tab.complaints).toEqual([])
    })

    it('takes a picture, refuses what is none, and shows the made one again', async () => {
      const person = await createPerson(stack.server.url)
      await using tab = await openAs(person, locale, '/profile', phone)
      const { app, page } = tab
      const t = app.t
      const choose = (name: string, mimeType: string, buffer: Buffer) =>
        page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
      await app.button(t('profile.pictureChoose')).waitFor()
      await choose('chart.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
      await page.getByText(t('profile.pictureKind'), { exact: true }).waitFor()
      await page.locator('input[type=file]').setInputFiles(fiftyMegabytes)
      await page.getByText(t('profile.pictureTooLarge', { megabytes: 5 }), { exact: true }).waitFor()
      await choose('broken.png', 'image/png', Buffer.from('not a picture'))
      await page.getByText(errorMessage('avatarNotPicture', locale), { exact: true }).waitFor()
      await picture(page, `${locale}-picture-refused`)
      const image = sharp({ create: { width: 800, height: 600, channels: 3, background: '#C4432F' } })
      await choose('lagoon.png', 'image/png', await image.png().toBuffer())
      const shown = page.locator('main img')
      const width = () => page.evaluate<number>(`document.querySelector('main img')?.naturalWidth ?? 0`)
      await until('the picture is drawn', async () => (await width()) === 256)
      await picture(page, `${locale}-profile-phone`)
      await app.button(t('profile.pictureRemove')).click()
      await shown.waitFor({ state: 'detached' })
      expect(tab.complaints).toEqual([])
    })
  })
}
