import type { Status } from '@atoll/contract/personal-server'
import { useEffect } from 'react'
import { useText } from '../i18n/text.ts'

/** The window's title: the server's name and the product. */
export function useTitle({ clusterName, product }: Status): void {
  const t = useText()
  useEffect(() => {
    document.title = t('app.title', { name: clusterName ?? t('app.yours', { product }), product })
  }, [t, clusterName, product])
}
