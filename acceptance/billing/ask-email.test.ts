/** An account without an email: every page says so, and what it pays for asks for one, which can be put off. */
import { emailShow, sendSetEmailCode, verifyBindEmail } from '@atoll/contract/accounts'
import { createCluster, resourceInitNew } from '@atoll/contract/clusters'
import { expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { emptyAnswers } from '../stack/samples/sample-account.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const { server, openTab } = shareConsole()
const review = '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'
const mail = 'reef@example.com'
const none = { email: null, pending: null }

/** From now on the account has this email, or none. */
function setEmail(email: string | null): void {
  const init = server.answers.get(resourceInitNew) as { user: object } // the sample's
  server.answers
    .set(resourceInitNew, { ...init, user: { ...init.user, email } })
    .set(emailShow, { email, pending: null })
}

it('every page says that no email is linked, also to an account that has just been made, and leads to it', async () => {
  server.answers = emptyAnswers()
  setEmail(null)
  const { page, app } = await openTab({ locale: 'en-US' }, '/')
  for (const path of ['/', '/billing', '/domains', '/profile', '/instanceMobile']) {
    await page.goto(path)
    const notice = page.getByRole('complementary', { name: app.t('money.emailMissing') })
    await notice.waitFor()
    expect(await notice.getByRole('link', { name: app.t('money.emailLink') }).count(), path).toBe(
      path === '/profile' ? 0 : 1,
    )
  }
  setEmail(mail)
  await page.reload()
  await page.locator('main h1').first().waitFor()
  expect(await page.getByText(app.t('money.emailMissing')).count()).toBe(0)
})

it('an email is linked where a cluster is ordered, which keeps what was typed and orders nothing', async () => {
  setEmail(null)
  server.answers.set(sendSetEmailCode, () => {
    const pending = { email: mail, mail: 'sent', expireAt: new Date(Date.now() + 600_000).toISOString(), triesLeft: 5 }
    server.answers.set(emailShow, { email: null, pending: { ...pending, nextCodeAt: new Date().toISOString() } })
    return { email: null, pending: { ...pending, nextCodeAt: new Date().toISOString() } }
  })
  server.answers.set(verifyBindEmail, () => {
    setEmail(mail)
    return { email: mail, pending: null }
  })
  const { page, app } = await openTab({ locale: 'zh-CN' }, review)
  await page.getByLabel(app.t('create.name'), { exact: true }).fill('Nukuoro')
  await app.button(app.t('money.emailLink')).click()
  const address = page.getByLabel(app.t('profile.address'), { exact: true })
  // Taken back, and opened again: focus is where it was.
  await app.button(app.t('profile.cancel')).click()
  await expect.poll(() => page.locator('*:focus').textContent()).toBe(app.t('money.emailLink'))
  await page.keyboard.press('Enter')
  await address.fill(mail)
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByLabel(app.t('profile.code'), { exact: true }).fill('123456')
  await page.keyboard.press('Enter')
  await page.getByText(app.t('money.emailLinked', { email: mail }), { exact: true }).waitFor()
  await expect.poll(() => page.locator('*:focus').textContent()).toBe(app.t('money.emailLinked', { email: mail }))
  expect(await page.getByText(app.t('money.emailMissing')).count()).toBe(0)
  expect(await page.getByLabel(app.t('create.name'), { exact: true }).inputValue()).toBe('Nukuoro')
  expect(server.asked).not.toContain(createCluster.path)
})

it('it can be put off, also over a reload, and what is ordered is paid all the same', async () => {
  setEmail(null)
  const { page, app } = await openTab({ locale: 'en-US' }, review)
  await app.button(app.t('money.emailLater')).click()
  await expect.poll(() => page.locator('*:focus').textContent()).toBe(app.t('money.payWith'))
  await page.reload()
  const pay = app.button(app.t('create.payDo', { amount: '$6.48' }))
  await pay.waitFor()
  expect(await page.getByText(app.t('money.emailAsk')).count()).toBe(0)
  await page.getByRole('complementary', { name: app.t('money.emailMissing') }).waitFor()
  await pay.click()
  await expect.poll(() => server.asked).toContain(createCluster.path)
})

it.each(['adding workers', 'raising the plan'])('%s asks for it too, and keeps the dialog', async (name) => {
  setEmail(null)
  server.answers.set(emailShow, none)
  const state = consoleStates.find((one) => one.name === name)
  const tab = await openTab({ locale: 'zh-CN' }, state?.path)
  await state?.open?.(tab)
  const { page, app } = tab
  await app.button(app.t('money.emailLink'), page.getByRole('dialog')).click()
  await page.getByRole('dialog').getByLabel(app.t('profile.address'), { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
})
