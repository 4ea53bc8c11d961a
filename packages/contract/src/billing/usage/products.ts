import { z } from 'zod'

/** What is metered and charged above a plan's quota (spec §3). */
export const meteredProducts = ['cloud_storage', 'cloud_backup', 'cloud_traffic', 'cdn_traffic'] as const
export const MeteredProduct = z.enum(meteredProducts)
export type MeteredProduct = z.infer<typeof MeteredProduct>
