import '@atoll/ui/zod-without-eval'
import '@atoll/ui/styles.css'
import './app.css'
import { AtollProvider } from '@atoll/ui'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadRuntimeConfig, movedTo } from './api/runtime-config.ts'
import { startLanguage } from './i18n/language.ts'
import { readVaultFile } from './keys/vault-file.ts'
import { ObstacleScreen } from './kit/screens/ObstacleScreen.tsx'
import { goOn, samePageAt } from './move/addresses.ts'
import { findObstacle } from './obstacle.ts'

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('index.html has no #root')
  const [obstacle] = await Promise.all([findObstacle(), startLanguage(), loadRuntimeConfig()])
  const root = createRoot(container)
  if (obstacle) {
    root.render(
      <AtollProvider>
        <ObstacleScreen obstacle={obstacle} />
      </AtollProvider>,
    )
    return
  }
  const moved = movedTo()
  if (moved !== undefined && readVaultFile(localStorage) === 'none') return await goOn(samePageAt(moved))
  // Only now: what the router leads to reads the storage that `findObstacle` has tried.
  const { createWalletRouter } = await import('./router.ts')
  root.render(
    <StrictMode>
      <AtollProvider>
        <RouterProvider router={createWalletRouter()} />
      </AtollProvider>
    </StrictMode>,
  )
  // The clock and the hosts may have changed while there was no network.
  addEventListener('online', () => void loadRuntimeConfig())
  // Asks the browser not to clear the keys when space runs low; it may say no, silently.
  void navigator.storage?.persist?.()
}

void start()
