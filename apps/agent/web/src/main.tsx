import '@atoll/ui/zod-without-eval'
import '@atoll/ui/styles.css'
import { AtollProvider } from '@atoll/ui'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from './i18n/language.ts'
import { takeOneTimePassword } from './one-time-password.ts'
import { createServerRouter } from './router.ts'

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('index.html has no #root')
  takeOneTimePassword()
  await startLanguage()
  createRoot(container).render(
    <StrictMode>
      <AtollProvider>
        <RouterProvider router={createServerRouter()} />
      </AtollProvider>
    </StrictMode>,
  )
}

void start()
