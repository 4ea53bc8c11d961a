import { useLayoutEffect } from 'react'
import { runtimeConfig } from '../../config/runtime-config.ts'

/** Names the browser tab: the page first, then the product. */
export function usePageTitle(title: string): void {
  // Before the frame is drawn: the tab never names what the page no longer shows.
  useLayoutEffect(() => {
    document.title = `${title} · ${runtimeConfig().product}`
  }, [title])
}
