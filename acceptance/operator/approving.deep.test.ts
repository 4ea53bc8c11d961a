/** An operator gives a colleague a role: asked on the page, read and approved in the wallet, done by itself. */
import { expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, openScreen, phone } from '../stack/browser.ts'
import { createPerson } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true, sql: true })

it('is asked on the page, approved in the wallet and done', async () => {
  const { url, walletUrl } = stack.server
  const [operator, colleague] = [await createPerson(url, { name: null }), await createPerson(url)]
  const give = `insert into staff (account_id, role, granted_at) select account_id, 'operator', now() from accounts where userid = $1`
  await stack.sql.query(give, [operator.wallet.did])

  const screen = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
  const session = { ...operator.session, staff: 'operator' as const }
  await holdSession(screen.context, session)
  const app = consoleApp(screen.page, 'en-US')
  await screen.page.goto(`${url}/operator/staff`)
  await app.button(app.t('operator.staffAddShort')).click()
  await screen.page.getByLabel(app.t('operator.staffWho')).fill(colleague.name ?? '')
  await screen.page.getByLabel(app.t('operator.reason')).fill('joins on Monday')
  await app.button(app.t('operator.approve')).click()
  const link = screen.page.getByRole('link', { name: app.t('operator.openWallet') })
  const code = await link.getAttribute('href')

  const handset = await openScreen(stack.browser, { locale: 'en-US', viewport: phone })
  const wallet = walletApp(handset.page, 'en-US')
  await wallet.importIdentity(walletUrl, operator.wallet.mnemonic)
  await handset.page.goto(code ?? '')
  await wallet.typePasscode()
  await handset.page.getByText(`Give ${colleague.name} the role support`).waitFor()
  await handset.page.getByText('joins on Monday').waitFor()
  if (process.env['ATOLL_PICTURES'])
    await handset.page.screenshot({ path: `${process.env['ATOLL_PICTURES']}/wallet.png` })
  await wallet.press(wallet.t('approve.approve'))
  await wallet.heading(wallet.t('approveAct.done'))

  await screen.page
    .getByRole('cell', { name: colleague.name ?? '' })
    .first()
    .waitFor()
  expect([...screen.complaints, ...handset.complaints]).toEqual([])
  await Promise.all([screen.context.close(), handset.context.close()])
})
