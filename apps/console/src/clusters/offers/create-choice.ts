/** What can be ordered and what is chosen, from the catalogue the server sends and what stands in the address. */
import type { InstanceInfo } from '@atoll/contract/clusters'

type Offering = InstanceInfo['data'][number]
type Cloud = InstanceInfo['clouds'][number]

/** What a person chose so far, by names of the catalogue. */
export interface CatalogChoice {
  cloud?: string
  region?: string
  offering?: string
  version?: string
}

/** Why an offering cannot be ordered here. */
export type OfferBlock =
  /** No capacity; `elsewhere` are regions of this cloud that have some. */
  { kind: 'soldOut'; elsewhere: Cloud['regions'] } | { kind: 'overQuota'; needed: number; free: number }

export interface Offer {
  offering: Offering
  price: InstanceInfo['pricePackage'][string] | undefined
  block: OfferBlock | undefined
}

export interface CreateChoice {
  cloud: Cloud | undefined
  region: Cloud['regions'][number] | undefined
  offers: Offer[]
  /** The chosen offer, if it can be ordered. */
  offer: Offer | undefined
  version: InstanceInfo['versions'][number] | undefined
}

/** Fills what was not chosen, or can no longer be had, with the first that fits. */
export function resolveChoice(search: CatalogChoice, info: InstanceInfo): CreateChoice {
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
    offer: open.find(({ offering }) => offering.name === search.offering) ?? open[0],
    version:
      info.versions.find(({ version }) => version === search.version) ??
      info.versions.find(({ recommended }) => recommended) ??
      info.versions[0],
  }
}

/** What is sold in one region, with why each that cannot be ordered cannot. */
export function offersIn(info: InstanceInfo, cloud: Cloud | undefined, regionId: string): Offer[] {
  const ofCloud = info.data.filter(({ cloudName }) => cloudName === cloud?.cloudName)
  const free = info.limit.vCpuQuota - info.limit.vCpuUsed
  return ofCloud
    .filter((offering) => offering.regionId === regionId)
    .map((offering) => ({
      offering,
      price: info.pricePackage[offering.name],
      block: blockOf(offering, free, () =>
        (cloud?.regions ?? []).filter((region) =>
          ofCloud.some(
            (other) => other.name === offering.name && other.regionId === region.regionId && other.available,
          ),
        ),
      ),
    }))
}

function blockOf(offering: Offering, free: number, elsewhere: () => Cloud['regions']): OfferBlock | undefined {
  if (!offering.available) return { kind: 'soldOut', elsewhere: elsewhere() }
  if (offering.cpuCoreCount > free) return { kind: 'overQuota', needed: offering.cpuCoreCount, free: Math.max(0, free) }
  return undefined
}
