/** Sign-in on a phone, which cannot scan its own screen. */
import { activeLogin } from '@atoll/contract/accounts'
import { walletLink } from '@atoll/contract/identity'
import { describe, expect, it } from 'vitest'
import { keepPicture, phone } from './stack/browser.ts'
import { shareConsole } from './stack/shared-console.ts'

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

  it('unfolds the code by itself when something became of it', async () => {
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
