import type { DriveFound } from '@atoll/contract/personal-server'
import { useState } from 'react'

export interface Selection {
  /** What is chosen of what is shown, in its order. */
  items: readonly DriveFound[]
  has(item: DriveFound): boolean
  toggle(item: DriveFound): void
  /** All that is shown, or nothing when all is chosen. */
  toggleAll(): void
  clear(): void
}

/** Which of the `shown` entries are chosen. What is no longer shown is not chosen either. */
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
