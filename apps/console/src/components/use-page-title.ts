import { useEffect } from 'react'
import { runtimeConfig } from '../config/runtime-config.ts'

/** Names the browser tab: the page first, then the product. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${runtimeConfig().product}`
  }, [title])
}
