import type { Catalog, LiveCatalog } from '../index.ts'

/** A catalogue that stays as it is. */
export function fixedCatalog(catalog: Catalog): LiveCatalog {
  return {
    current: () => catalog,
    use: (fn) => fn(catalog),
    onTaken: () => undefined,
    problem: () => undefined,
    look: () => undefined,
    stop: async () => undefined,
  }
}
