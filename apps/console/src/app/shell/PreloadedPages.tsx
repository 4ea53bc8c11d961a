import { whenIdle } from '@atoll/ui'
import { type AnyRoute, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useInit } from '../../data/home-queries.ts'
import { loadTextsBeyondHome } from '../../locales/language.ts'
import { accountDestinations, createDestination, mainDestinations } from '../places/destinations.ts'

/** How long the browser may be busy before pages are fetched all the same, ms. */
const patienceMs = 10_000

const destinations = [...mainDestinations, createDestination, ...accountDestinations]

/**
 * Fetches the code and the texts of the other pages once nothing else is to do, so that they open at once, and without
 * a network too; not for somebody who saves data. Draws nothing; a component of its own, so that what it waits for
 * draws nothing else again.
 */
export function PreloadedPages() {
  const router = useRouter()
  // Not before the page has what it shows: until then a slow processor has better to do.
  const { data, error } = useInit()
  const isFetched = data !== undefined || error !== null
  useEffect(() => {
    if (!isFetched || savesData()) return
    const preload = () => {
      const routes: Record<string, AnyRoute | undefined> = { ...router.routesByPath }
      for (const path of destinations.flatMap(({ to, holds = [] }) => [to, ...holds])) {
        const route = routes[path]
        // A page that cannot be fetched now is fetched when it is opened, and a failure is shown then.
        if (route) router.loadRouteChunk(route)?.catch(() => undefined)
      }
      loadTextsBeyondHome().catch(() => undefined)
      // The page shown for errors, and the pages opened from most pages.
      import('../page-failure/PageFailure.tsx').catch(() => undefined)
      // Without a network another tab can sign the account out, and what is typed here has to be covered all the same.
      import('../../signin/LockedPage.tsx').catch(() => undefined)
      import('../../kit/menu/OpenMenu.tsx').catch(() => undefined)
    }
    return whenIdle(preload, patienceMs)
  }, [router, isFetched])
  return null
}

/** Whether the browser is to fetch no more than it must. Only Chromium says so. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
