import { expect, it } from 'vitest'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, openScreen, phone } from '../stack/browser.ts'
import { createPerson, freshName } from '../stack/people.ts'

import { describeIdentity, stack } from './identity-in-locale.ts'

describeIdentity('zh-CN')

it('registers an identity in a browser as old as Safari 17', async () => {
  const { context, page, complaints } = await openScreen(stack.browser, { locale: 'en-US', viewport: phone })
  await context.addInitScript(() => Reflect.deleteProperty(URL, 'parse'))
  await walletApp(page, 'en-US').createIdentity(stack.server.walletUrl, freshName())
  expect(complaints).toEqual([])
  await context.close()
})

it('greets an account that is not stored in this browser by the ID that the identity service knows', async () => {
  const { wallet, name = '' } = await createPerson(stack.server.url)
  const { context, page } = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
  await page.goto(`${stack.server.url}/login/${wallet.did}`)
  await page.getByText(name, { exact: true }).waitFor()
  await context.close()
})
