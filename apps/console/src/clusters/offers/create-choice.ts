/** Offers and choices, from the catalogue that the server sends and the values in the address. */
import { fitsDisk } from '@atoll/contract/backups'
import type { InstanceInfo } from '@atoll/contract/clusters'

type Offering = InstanceInfo['data'][number]
type Cloud = InstanceInfo['clouds'][number]

/** A person's choices so far, by names of the catalogue. */
export interface CatalogChoice {
  cloud?: string
  region?: string
  offering?: string
  version?: string
}

/** Why an offering cannot be ordered here. */
export type OfferBlock =
  /** No capacity; `elsewhere` are regions of this cloud that have some. */
  | { kind: 'soldOut'; elsewhere: Cloud['regions'] }
  | { kind: 'overQuota'; needed: number; free: number }
  /** Its disk is too small for the files of a backup. */
  | { kind: 'tooSmall' }

export interface Offer {
  offering: Offering
  price: InstanceInfo['pricePackage'][string] | undefined
  block: OfferBlock | undefined
}

/** The catalogue, and what the cluster is to hold from the first. */
export type OrderInfo = InstanceInfo & {
  /** Bytes of a backup that it is made of; without them it is made empty. */
  filesSize?: number
}

export interface CreateChoice {
  cloud: Cloud | undefined
  region: Cloud['regions'][number] | undefined
  offers: Offer[]
  /** The chosen offer, if it can be ordered. */
  offer: Offer | undefined
  version: InstanceInfo['versions'][number] | undefined
}

/** Fills what was not chosen, or can no longer be had, with the first that fits; for a backup with the cheapest. */
export function resolveChoice(search: CatalogChoice, info: OrderInfo): CreateChoice {
  const cloud = info.clouds.find(({ cloudName }) => cloudName === search.cloud) ?? info.clouds[0]
  const regions = cloud?.regions ?? []
  const region =
    regions.find(({ regionId }) => regionId === search.region) ??
    regions.find(({ regionId }) => offersIn(info, cloud, regionId).some(({ block }) => !block)) ??
    regions[0]
  const offers = region ? offersIn(info, cloud, region.regionId) : []
  const open = offers.filter(({ block }) => !block)
  return {
    cloud,
    region,
    offers,
    offer: open.find(({ offering }) => offering.name === search.offering) ?? firstOf(open, info),
    version:
      info.versions.find(({ version }) => version === search.version) ??
      info.versions.find(({ recommended }) => recommended) ??
      info.versions[0],
  }
}

function firstOf(open: readonly Offer[], { filesSize }: OrderInfo): Offer | undefined {
  if (filesSize === undefined) return open[0]
  const amount = ({ price }: Offer) => price?.amount ?? 0
  return open.reduce<Offer | undefined>((best, one) => (best && amount(best) <= amount(one) ? best : one), undefined)
}

/** Offers of one region, each that cannot be ordered with the reason. */
export function offersIn(info: OrderInfo, cloud: Cloud | undefined, regionId: string): Offer[] {
  const ofCloud = info.data.filter(({ cloudName }) => cloudName === cloud?.cloudName)
  const free = info.limit.vCpuQuota - info.limit.vCpuUsed
  return ofCloud
    .filter((offering) => offering.regionId === regionId)
    .map((offering) => ({
      offering,
      price: info.pricePackage[offering.name],
      block: blockOf(offering, { free, filesSize: info.filesSize ?? 0 }, () =>
        (cloud?.regions ?? []).filter((region) =>
          ofCloud.some(
            (other) => other.name === offering.name && other.regionId === region.regionId && other.available,
          ),
        ),
      ),
    }))
}

function blockOf(
  offering: Offering,
  { free, filesSize }: { free: number; filesSize: number },
  elsewhere: () => Cloud['regions'],
): OfferBlock | undefined {
  if (filesSize > 0 && !fitsDisk(filesSize, offering.diskSize)) return { kind: 'tooSmall' }
  if (!offering.available) return { kind: 'soldOut', elsewhere: elsewhere() }
  if (offering.cpuCoreCount > free) return { kind: 'overQuota', needed: offering.cpuCoreCount, free: Math.max(0, free) }
  return undefined
}
