import { startServer } from '@atoll/testkit'
import { expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, openScreen } from '../stack/browser.ts'
import { createPerson } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { describeProfile, picture, stack } from './profile-in-locale.ts'

describeProfile('zh-CN')

it('says so when a code cannot be sent, and keeps trying', async () => {
  const locale = 'zh-CN'
  await using away = await startServer({ env: { ATOLL_SMTP_URL: 'smtp://127.0.0.1:1' } })
  const person = await createPerson(away.url)
  const { page, context } = await openScreen(stack.browser, { locale, viewport: desktop })
  await holdSession(context, person.session)
  await page.goto(`${away.url}/profile`)
  const app = consoleApp(page, locale)
  const email = 'lena@lagoon.example'
  await app.button(app.t('profile.emailLink')).click()
  await page.getByLabel(app.t('profile.address'), { exact: true }).fill(email)
  await app.button(app.t('profile.sendCode')).click()
  await page.getByText(app.t('profile.mailDelayed', { email }), { exact: true }).waitFor()
  await picture(page, `${locale}-email-delayed`)
  expect((await fetch(`${away.url}/outbox`)).headers.get('content-type')).not.toContain('text/html')
  await context.close()
})
