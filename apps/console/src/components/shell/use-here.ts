import { useRouterState } from '@tanstack/react-router'

/**
 * The path of the page that is drawn, as its route names it: `/cluster/$clusterId`. Not `useMatchRoute`, which draws again
 * with every step of a navigation, three times before the first page can be used.
 */
export function useHere(): string | undefined {
  return useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath })
}
