import { createRootRoute, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { productName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'

export const Route = createRootRoute({ component: Root })

function Root() {
  const t = useText()
  useEffect(() => {
    document.title = t('app.title', { product: productName() })
  }, [t])
  return <Outlet />
}
