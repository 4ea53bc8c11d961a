import type { DriveFound } from '@atoll/contract/personal-server'
import { useState } from 'react'

export interface Selection {
  /** The chosen entries among those shown, in their order. */
  items: readonly DriveFound[]
  has(item: DriveFound): boolean
  toggle(item: DriveFound): void
  /** All that is shown, or nothing when all is chosen. */
  toggleAll(): void
  clear(): void
}

/** The chosen ones of the `shown` entries. Hidden entries are not chosen. */
export function useSelection(shown: readonly DriveFound[]): Selection {
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set())
  const items = shown.filter(({ path }) => paths.has(path))
  return {
    items,
    has: ({ path }) => paths.has(path),
    toggle({ path }) {
      const others = [...paths].filter((other) => other !== path)
      setPaths(new Set(paths.has(path) ? others : [...others, path]))
    },
    toggleAll: () => setPaths(new Set(items.length === shown.length ? [] : shown.map(({ path }) => path))),
    clear: () => setPaths(new Set()),
  }
}
