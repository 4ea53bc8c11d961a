import './fetch-ahead.ts'
import '@atoll/ui/styles.css'
import { AtollProvider } from '@atoll/ui'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isExpired } from './accounts/account.ts'
import { currentAccount, startAccounts } from './accounts/account-store.ts'
import { tellStorageTrouble } from './accounts/tell-storage-trouble.ts'
import { followTyping } from './accounts/typed.ts'
import { askInitAhead } from './api/init-ahead.ts'
import { StartFailure } from './components/StartFailure.tsx'
import { loadRuntimeConfig, serverNow } from './config/runtime-config.ts'
import { fetchTextsAhead, startLanguage } from './i18n/language.ts'
import { NoticeStack } from './notices/NoticeStack.tsx'
import { router } from './router.ts'

/** Names in texts when the server did not even tell those. */
const unnamed = { product: 'Atoll', wallet: 'LarePass' }

async function start() {
  startAccounts()
  followTyping()
  const isSigningIn = location.pathname.startsWith('/login')
  fetchTextsAhead(!isSigningIn && currentAccount() !== undefined)
  const config = await loadRuntimeConfig().catch((error: unknown) => {
    console.error(error)
    return undefined
  })
  if (config && !isSigningIn) fetchDataAhead()
  const { product, wallet } = config ?? unnamed
  await startLanguage({ product, wallet })
  tellStorageTrouble()
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <AtollProvider>
        {config ? <RouterProvider router={router} /> : <StartFailure />}
        <NoticeStack />
      </AtollProvider>
    </StrictMode>,
  )
}

/** Asks for what every page of somebody who is signed in shows, before there is a page to ask. */
function fetchDataAhead(): void {
  const account = currentAccount()
  if (!account || isExpired(account, serverNow())) return
  askInitAhead(account)
}

void start()
