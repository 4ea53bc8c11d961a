import './fetch-ahead.ts'
import '@atoll/ui/zod-without-eval'
import '@atoll/ui/styles.css'
import { AtollProvider } from '@atoll/ui'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadRuntimeConfig } from '../config/runtime-config.ts'
import { showToast } from '../data/show-toast.ts'
import { ConfirmHost } from '../kit/confirm/ConfirmHost.tsx'
import { ToastStack } from '../kit/toast/ToastStack.tsx'
import { fetchTextsAhead, startLanguage } from '../locales/language.ts'
import { text } from '../locales/text.ts'
import { currentAccount, onAccountChange, startAccounts, storageTrouble } from '../session/account-store.ts'
import type { Repair } from '../session/stored-accounts.ts'
import { followTyping } from '../session/typed.ts'
import { StartFailure } from './StartFailure.tsx'
import './lost.css'
import { router } from './router.ts'

/** Names in texts when the server did not even answer those. */
const unnamed = { product: 'Atoll', wallet: 'LarePass' }

async function start() {
  startAccounts()
  followTyping()
  const isSigningIn = location.pathname.startsWith('/login')
  const isSignedIn = currentAccount() !== undefined
  fetchTextsAhead(location.pathname, !isSigningIn && isSignedIn)
  // Most pages lead there while nobody is signed in. If it cannot be fetched now, the page fetches it and reports a
  // failure.
  if (!isSigningIn && !isSignedIn) import('../signin/LoginPage.tsx').catch(() => undefined)
  const config = await loadRuntimeConfig().catch((error: unknown) => {
    console.error(error)
    return undefined
  })
  const { product, wallet } = config ?? unnamed
  await startLanguage({ product, wallet })
  warnOfStorageTrouble()
  // The first thing drawn is the page: the frame around it drawn without one would be drawn again.
  if (config) await router.load()
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <AtollProvider>
        {config ? <RouterProvider router={router} /> : <StartFailure />}
        <ConfirmHost />
        <ToastStack />
      </AtollProvider>
    </StrictMode>,
  )
}

start().catch((error: unknown) => {
  console.error(error)
  const lost = document.getElementById('lost')
  lost?.addEventListener('click', () => location.reload())
  lost?.removeAttribute('hidden')
})

/** Tells the person what is wrong with this browser's storage, each thing once. Called once, when texts are there. */
function warnOfStorageTrouble(): void {
  const { repaired } = storageTrouble()
  if (repaired) showToast({ kind: 'failure', text: repairText(repaired) })
  if (!warnUnsaved()) {
    const stop = onAccountChange(() => {
      if (warnUnsaved()) stop()
    })
  }
}

function repairText({ lost }: Repair): string {
  if (lost === undefined) return text('accounts.repairedNothing')
  return lost === 0 ? text('accounts.repairedAll') : text('accounts.repairedSome', { count: lost })
}

/** Only once there is an account that will be missed. */
function warnUnsaved(): boolean {
  if (!storageTrouble().unsaved || !currentAccount()) return false
  showToast({ kind: 'failure', text: text('accounts.unsaved') })
  return true
}
