import { scriptStep } from '@atoll/contract/agents'
import { type Currency, type Money, money } from '@atoll/money'
import { z } from 'zod'
import { Coupon } from './coupons.ts'
import { LxdMemberName, LxdSettings } from './lxd-settings.ts'
import { Plan } from './plans.ts'
import { Amount, Prices } from './prices.ts'
import { Text, Words } from './words.ts'

const Key = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z0-9][a-z0-9.-]*$/, 'must be lowercase letters, digits, dots and hyphens')

const drivers = ['process', 'lxd'] as const

const Offering = z.strictObject({
  name: Key,
  title: Words,
  cpuCoreCount: z.int().min(1).max(1024),
  memoryMiB: z.int().min(128),
  diskMiB: z.int().min(256),
  price: Prices,
  /** Regions where it is shown and cannot be bought. */
  soldOutIn: z.array(Key).default([]),
})
const Factor = z.number().min(0.1).max(100)
export const Overcommit = z.strictObject({ cpu: Factor, memory: Factor, disk: Factor })
export type Overcommit = z.output<typeof Overcommit>
const Region = z.strictObject({
  regionId: Key,
  title: Words,
  place: Words,
  /** How much of each resource of its machines is sold, in multiples of it; absent: without a limit. */
  overcommit: Overcommit.optional(),
  /** Members of the LXD cluster that are this region; absent: LXD chooses among all. */
  members: z.array(LxdMemberName).min(1).max(1000).optional(),
})
const Cloud = z.strictObject({
  cloudName: Key,
  driver: z.enum(drivers),
  /** For the driver of that name. */
  lxd: LxdSettings.optional(),
  title: Words,
  regions: z.array(Region).min(1),
  offerings: z.array(Offering).min(1),
})
const Version = z.strictObject({
  version: z.string().min(1).max(40),
  title: Words,
  summary: Words,
  recommended: z.boolean().default(false),
  /** Customers who choose it see that it is still being tested. */
  beta: z.boolean().optional(),
  /** The image that drivers boot: one name for all, or one for each. */
  image: z.union([Text, z.partialRecord(z.enum(drivers), Text)]),
  steps: z.array(z.string().min(1).max(40)).min(1).max(40),
  /** A file beside the catalogue, run by the agent in the step `script`; once read, its text. */
  script: z.string().min(1).optional(),
})
export const CatalogFile = z
  .strictObject({
    /** None: only machines of the customers are served. */
    clouds: z.array(Cloud),
    versions: z.array(Version).min(1),
    /** Workers that one cluster may have. */
    maxWorkers: z.int().min(0).max(64).default(8),
    plans: z.array(Plan).default([]),
    /** The amount of usage beyond balance and promotional credit, with a card on file, at which it is billed. */
    usageThreshold: z.strictObject({ usd: Amount.optional(), cny: Amount.optional() }).optional(),
    coupons: z.array(Coupon).max(1000).default([]),
  })
  .superRefine((catalog, context) => {
    const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    rejectRepeats(['clouds'], 'cloudName', catalog.clouds, problem)
    rejectRepeats(['versions'], 'version', catalog.versions, problem)
    rejectRepeats(['plans'], 'level', catalog.plans, problem)
    rejectRepeats(['coupons'], 'code', catalog.coupons, problem)
    catalog.versions.forEach(({ image, steps, script }, at) => {
      for (const { driver, cloudName } of catalog.clouds) {
        if (typeof image !== 'string' && image[driver] === undefined)
          problem(['versions', at, 'image'], `has none for the driver ${driver} of the cloud "${cloudName}"`)
      }
      const runs = steps.includes(scriptStep)
      if (runs && script === undefined) problem(['versions', at, 'script'], `is needed for the step "${scriptStep}"`)
      if (!runs && script !== undefined)
        problem(['versions', at, 'steps'], `lacks the step "${scriptStep}" that runs the script`)
    })
    // `pricePackage` of the API is keyed by offering name alone.
    const names = catalog.clouds.flatMap((cloud) => cloud.offerings.map((offering) => offering.name))
    catalog.clouds.forEach((cloud, at) => {
      const regions = new Set(cloud.regions.map((region) => region.regionId))
      rejectRepeats(['clouds', at, 'regions'], 'regionId', cloud.regions, problem)
      if (cloud.driver === 'lxd' && !cloud.lxd) problem(['clouds', at, 'lxd'], 'is needed for the driver lxd')
      if (cloud.driver !== 'lxd') {
        if (cloud.lxd) problem(['clouds', at, 'lxd'], `is not for the driver ${cloud.driver}`)
        cloud.regions.forEach((region, index) => {
          if (region.members) problem(['clouds', at, 'regions', index, 'members'], 'is only for the driver lxd')
        })
      }
      cloud.offerings.forEach((offering, index) => {
        const path = ['clouds', at, 'offerings', index]
        if (names.indexOf(offering.name) !== names.lastIndexOf(offering.name))
          problem([...path, 'name'], `"${offering.name}" is used twice`)
        for (const region of offering.soldOutIn)
          if (!regions.has(region)) problem([...path, 'soldOutIn'], `"${region}" is not a region of this cloud`)
      })
    })
  })

function rejectRepeats<K extends string>(
  path: PropertyKey[],
  key: K,
  items: readonly Record<K, string | number>[],
  problem: (path: PropertyKey[], message: string) => void,
): void {
  const seen = new Set<string | number>()
  items.forEach((item, at) => {
    if (seen.has(item[key])) problem([...path, at, key], `"${item[key]}" is used twice`)
    seen.add(item[key])
  })
}

/** The parsed `catalog.yaml`: all that this operator sells. */
export type Catalog = z.output<typeof CatalogFile>
export type CatalogCloud = Catalog['clouds'][number]
export type CatalogOffering = CatalogCloud['offerings'][number]
export type CatalogVersion = Catalog['versions'][number]

const defaultThreshold: Readonly<Record<Currency, number>> = { usd: 2000, cny: 14_000 }

/** The amount of usage beyond an account's balance and promotional credit at which it is billed. */
export function usageThreshold({ usageThreshold }: Pick<Catalog, 'usageThreshold'>, currency: Currency): Money {
  return money(usageThreshold?.[currency] ?? defaultThreshold[currency], currency)
}

/** The image that `driver` boots for a version. */
export function imageOf({ image }: CatalogVersion, driver: string): string | undefined {
  return typeof image === 'string' ? image : Object.entries(image).find(([name]) => name === driver)?.[1]
}
