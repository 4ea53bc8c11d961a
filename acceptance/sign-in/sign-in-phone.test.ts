/** Sign-in on a phone, which cannot scan its own screen. */
import { activeLogin } from '@atoll/contract/accounts'
import { walletLink } from '@atoll/contract/identity'
import { describe, expect, it } from 'vitest'
import { keepPicture, phone } from '../stack/browser.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const openPhone = () => openTab({ viewport: phone, touch: true, accounts: undefined }, '/login')

describe('sign-in on a phone', () => {
  it('offers the web wallet first and folds the code', async () => {
    const { page, app } = await openPhone()
    const wallet = app.link(app.t('login.openOnPhone'))
    await wallet.waitFor()
    expect(await app.code().isVisible()).toBe(false)
    const steps = await page.getByRole('list', { name: app.t('login.steps') }).innerText()
    expect(steps).toContain(app.t('login.stepChoose'))
    expect(steps).not.toContain(app.t('login.stepScan'))
    expect(await wallet.getAttribute('href')).toMatch(walletLink(`${server.url}/wallet`, 'space://'))
    await keepPicture(page, 'sign-in-phone')
    await page.getByText(app.t('login.otherScreen'), { exact: true }).tap()
    await app.code().waitFor()
    await app.button(app.t('login.copyCode')).waitFor()
    await page.getByText(app.t('login.otherScreen'), { exact: true }).tap()
    await app.code().waitFor({ state: 'hidden' })
  })

  it('unfolds the code without a press once it was scanned or expired', async () => {
    server.answers = new Map([...server.answers, [activeLogin, { scanned: true }]])
    const { page, app } = await openPhone()
    await app.button(app.t('login.showAgain')).waitFor()
    expect(await app.link(app.t('login.openOnPhone')).isVisible()).toBe(false)
    await keepPicture(page, 'sign-in-phone-scanned')
  })

  it('is by the code on a narrow screen with a mouse', async () => {
    const { app } = await openTab({ viewport: phone, accounts: undefined }, '/login')
    await app.code().waitFor()
    expect(await app.link(app.t('login.openOnPhone')).count()).toBe(0)
  })
})

describe('the number beside the code', () => {
  const openSteps = async (route?: (page: string) => string) => {
    const { page, app } = await openTab({ accounts: undefined })
    if (route)
      await page.route('**/login', async (visit) => {
        const answer = await visit.fetch()
        await visit.fulfill({ response: answer, body: route(await answer.text()) })
      })
    await page.goto('/login')
    const steps = page.getByRole('list', { name: app.t('login.steps') })
    const ifAsked = steps.getByText(app.t('login.stepIfAsked', { number: 42 }), { exact: true })
    const asked = steps.getByText(app.t('login.stepType', { number: 42 }), { exact: true })
    return { ifAsked, asked }
  }

  it('is to be typed if the wallet asks, as long as none that asks has read the code', async () => {
    const { ifAsked, asked } = await openSteps()
    await ifAsked.waitFor()
    expect(await asked.count()).toBe(0)
  })

  it('is to be typed once a wallet that asks has read the code', async () => {
    server.answers = new Map([...server.answers, [activeLogin, { scanned: true }]])
    const { ifAsked, asked } = await openSteps()
    await asked.waitFor()
    expect(await ifAsked.count()).toBe(0)
  })

  it('is to be typed where the operator requires it', async () => {
    const { ifAsked, asked } = await openSteps((page) => page.replace(/(requireMatchNumber[^:]{1,8}:)false/, '$1true'))
    await asked.waitFor()
    expect(await ifAsked.count()).toBe(0)
  })
})
