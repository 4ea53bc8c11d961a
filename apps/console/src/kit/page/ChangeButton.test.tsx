import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { dids, exampleAccount } from '../../testing/accounts.ts'
import { stubBrowser } from '../../testing/browser.ts'

afterEach(() => vi.unstubAllGlobals())

/** The button as it is drawn for the account of the tab; `looks`: staff look as the customer there. */
async function draw(looks: boolean): Promise<string> {
  stubBrowser()
  vi.resetModules()
  const { startLanguage, loadTextsOf } = await import('../../locales/language.ts')
  const store = await import('../../session/account-store.ts')
  const { ChangeButton } = await import('./ChangeButton.tsx')
  await startLanguage()
  await loadTextsOf('/')
  const [customer = '', by = ''] = dids
  const look = { userid: customer, terminusName: null, staff: null, look: { accountId: 'ac_1', by } }
  vi.stubGlobal('sessionStorage', { getItem: () => (looks ? JSON.stringify(look) : null) })
  store.storeAccount(exampleAccount(1, { staff: 'support' }))
  store.startAccounts()
  return renderToStaticMarkup(
    <MantineProvider>
      <ChangeButton type="submit">Pay</ChangeButton>
    </MantineProvider>,
  )
}

test('is off, and says why, where staff look as the customer', async () => {
  const own = await draw(false)
  expect(own).toContain('type="submit"')
  expect(own).not.toContain('data-tip')
  const looked = await draw(true)
  expect(looked).toContain('type="button"')
  expect(looked).toContain('aria-disabled="true"')
  expect(looked).toContain('data-tip="You see the console as the customer does. Nothing can be changed."')
})
