/** The order in which files are shown. Folders always stand before files. */
import type { DriveEntry, DriveOrder } from '@atoll/contract/personal-server'

export const orderKeys = ['name', 'size', 'modified'] as const satisfies DriveOrder['by'][]
export type OrderKey = DriveOrder['by']
export type FileOrder = DriveOrder

/** The order after a press on `by`: the other direction, or the default one of a new key. */
export function nextOrder(order: FileOrder, by: OrderKey): FileOrder {
  return order.by === by ? { by, descending: !order.descending } : { by, descending: by !== 'name' }
}

/** Sorted by `order`; what is alike in that, by name. `2` comes before `10`, case aside. */
export function sortFiles<T extends DriveEntry>(
  entries: readonly T[],
  { by, descending }: FileOrder,
  locale: string,
): T[] {
  const names = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })
  const compare: Record<OrderKey, (a: T, b: T) => number> = {
    name: (a, b) => names.compare(a.name, b.name),
    size: (a, b) => a.size - b.size,
    // ISO 8601 in UTC sorts as text.
    modified: (a, b) => Number(a.modifiedAt > b.modifiedAt) - Number(a.modifiedAt < b.modifiedAt),
  }
  return entries.toSorted(
    (a, b) =>
      Number(b.kind === 'folder') - Number(a.kind === 'folder') ||
      compare[by](a, b) * (descending ? -1 : 1) ||
      names.compare(a.name, b.name),
  )
}
