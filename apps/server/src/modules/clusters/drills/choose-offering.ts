/** Chooses the offering for a drill: the cheapest one on sale that holds the files. */
import { fitsDisk } from '@atoll/contract/backups'
import type { Currency } from '@atoll/money'
import { type Catalog, type CatalogOffering, priceIn } from '../../catalog/index.ts'

export interface DrillOrder {
  /** Of the files, bytes. */
  size: number
  /** The currency in which prices are compared. */
  currency: Currency
  /** Nobody pays for what costs something. */
  onlyFree: boolean
}

export interface DrillPlace {
  cloudName: string
  regionId: string
  offering: CatalogOffering
}

/** `soldOut`: there is something for it, and no room now. `none`: nothing that is sold would do. */
export function chooseOffering(
  { clouds }: Pick<Catalog, 'clouds'>,
  { size, currency, onlyFree }: DrillOrder,
): DrillPlace | 'soldOut' | 'none' {
  const priceOf = ({ price }: CatalogOffering) => priceIn(price, currency)?.minor ?? Number.POSITIVE_INFINITY
  const fitting = clouds
    .flatMap(({ cloudName, regions, offerings }) =>
      regions.flatMap(({ regionId }) => offerings.map((offering) => ({ cloudName, regionId, offering }))),
    )
    .filter(({ offering }) => fitsDisk(size, offering.diskMiB))
    .filter(({ offering }) => (onlyFree ? priceOf(offering) === 0 : Number.isFinite(priceOf(offering))))
  const [cheapest] = fitting
    .filter(({ regionId, offering }) => !offering.soldOutIn.includes(regionId))
    .toSorted((a, b) => priceOf(a.offering) - priceOf(b.offering))
  return cheapest ?? (fitting.length > 0 ? 'soldOut' : 'none')
}
