import type { CompiledZone } from './compile-zone.ts'

/** The zones that a name server answers for. */
export interface ZoneTable {
  get(domain: string): CompiledZone | undefined
  /** The lowest zone that `name` is in. */
  find(name: string): CompiledZone | undefined
  domains(): Iterable<string>
}

export interface WritableZoneTable extends ZoneTable {
  set(zone: CompiledZone): void
  delete(domain: string): void
}

const labelsOf = (domain: string) => domain.split('.').length

export function createZoneTable(zones: Iterable<CompiledZone> = []): WritableZoneTable {
  const byDomain = new Map<string, CompiledZone>()
  /**
   * How many zones have a domain of so many labels, by that number. Names are looked up at these lengths alone: with
   * many zones each lookup is a miss of the cache.
   */
  const depths: number[] = []
  const count = (domain: string, more: 1 | -1) => {
    const labels = labelsOf(domain)
    while (depths.length <= labels) depths.push(0)
    depths[labels] = (depths[labels] ?? 0) + more
  }
  const table: WritableZoneTable = {
    get: (domain) => byDomain.get(domain),
    domains: () => byDomain.keys(),
    find(name) {
      let found: CompiledZone | undefined
      let at = name.length
      for (let labels = 1; labels < depths.length && at > 0; labels += 1) {
        at = name.lastIndexOf('.', at - 1)
        if (depths[labels] !== 0) found = byDomain.get(name.slice(at + 1)) ?? found
      }
      return found
    },
    set(zone) {
      if (!byDomain.has(zone.domain)) count(zone.domain, 1)
      byDomain.set(zone.domain, zone)
    },
    delete(domain) {
      if (byDomain.delete(domain)) count(domain, -1)
    },
  }
  for (const zone of zones) table.set(zone)
  return table
}
