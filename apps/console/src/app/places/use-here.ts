import { useRouterState } from '@tanstack/react-router'

/**
 * The path of the page that is drawn, as its route names it: `/cluster/$clusterId`. Not `useMatchRoute`, which draws
 * again with every step of a navigation, three times before the first page can be used.
 */
export function useHere(): string | undefined {
  return useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath })
}

/** Whether the page that is drawn is one of `routes`. */
export function isWithin(routes: readonly string[] | undefined, here: string | undefined): boolean {
  return here !== undefined && (routes?.includes(here) ?? false)
}
