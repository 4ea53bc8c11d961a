/** Forms and what stands around them: what is refused when a field is left, and what a command says. */
import { emailShow, sendSetEmailCode } from '@atoll/contract/accounts'
import { selfHostCommand } from '@atoll/contract/clusters'
import { errorMessage } from '@atoll/texts/refusals'
import { describe, expect, it } from 'vitest'
import { phone } from '../stack/browser.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const { server, openTab } = shareConsole()

const locale = 'zh-CN'
describe('a form', () => {
  it('an email that can be none is refused when its field is left, and not sent', async () => {
    const { page, app } = await openTab({ locale, viewport: phone }, '/profile')
    await app.button(app.t('profile.emailChange')).click()
    const field = page.getByLabel(app.t('profile.address'), { exact: true })
    const refused = page.getByText(errorMessage('emailMalformed', locale), { exact: true })
    await field.fill('lena@')
    expect(await refused.count()).toBe(0)
    await field.blur()
    await refused.waitFor()
    await field.fill('lena@example.com')
    await refused.waitFor({ state: 'detached' })
    expect(server.asked).not.toContain(sendSetEmailCode.path)
  })

  it('what can be done while a code is awaited stands in one row', async () => {
    const pending = {
      email: 'new@example.com',
      mail: 'sent',
      expireAt: new Date(Date.now() + 600_000).toISOString(),
      nextCodeAt: new Date().toISOString(),
      triesLeft: 5,
    }
    server.answers.set(emailShow, { email: null, pending })
    const { page } = await openTab({ locale }, '/profile')
    const buttons = page.getByRole('main').locator('form').getByRole('button')
    await buttons.first().waitFor()
    const tops = await buttons.evaluateAll((nodes) =>
      nodes.map((node) => (node as unknown as Box).getBoundingClientRect().y),
    )
    expect(tops.length).toBeGreaterThan(1)
    expect(new Set(tops).size).toBe(1)
  })

  it('a command that leads other machines to themselves says so', async () => {
    const awaited = consoleStates.find(({ name }) => name === 'cluster, self-hosted and awaited')
    const show = async (host: string) => {
      const sample = server.answers.get(selfHostCommand) as { command: string } // the sample's
      const command = `curl -fsSL http://${host}/enroll.sh | sh -s -- token`
      server.answers.set(selfHostCommand, { ...sample, command })
      const { page, app } = await openTab({ locale }, awaited?.path)
      await app.button(app.t('join.show')).click()
      await page.getByText(command, { exact: true }).waitFor()
      return await page.getByText(app.t('join.loopbackTitle'), { exact: true }).count()
    }
    expect(await show('127.0.0.1:4800')).toBe(1)
    expect(await show('atoll.example')).toBe(0)
  })
})

interface Box {
  getBoundingClientRect(): { y: number }
}
