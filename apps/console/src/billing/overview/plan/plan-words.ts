import type { MeteredProduct, PlanOffer } from '@atoll/contract/billing'
import type { TextKey } from '../../../locales/text.ts'

/** The name of a metered product. */
export const meteredName: Record<MeteredProduct, TextKey> = {
  cloud_storage: 'billing.storage',
  cloud_backup: 'billing.backup',
  cloud_traffic: 'billing.traffic',
  cdn_traffic: 'billing.cdn',
}

interface QuotaRow {
  label: TextKey
  /** The figure with its unit. */
  text: (quotas: PlanOffer['quotas'], figure: (value: number) => string) => string
}

/** The rows of the comparison, in the order of the board. */
export const quotaRows: readonly QuotaRow[] = [
  { label: 'billing.storage', text: ({ storageGB }, figure) => `${figure(storageGB)} GB` },
  { label: 'billing.backup', text: ({ backupGB }, figure) => `${figure(backupGB)} GB` },
  { label: 'billing.traffic', text: ({ trafficGB }, figure) => `${figure(trafficGB)} GB` },
  { label: 'billing.cdn', text: ({ cdnGB }, figure) => `${figure(cdnGB)} GB` },
  { label: 'billing.bandwidth', text: ({ bandwidthMbit }, figure) => `${figure(bandwidthMbit)} Mbit/s` },
  { label: 'billing.vCpuQuota', text: ({ vCpu }, figure) => figure(vCpu) },
]

/** Use above a quota, by product. */
export const rateRows: readonly { label: TextKey; product: MeteredProduct }[] = [
  { label: 'billing.storageAbove', product: 'cloud_storage' },
  { label: 'billing.backupAbove', product: 'cloud_backup' },
  { label: 'billing.trafficAbove', product: 'cloud_traffic' },
  { label: 'billing.cdnAbove', product: 'cdn_traffic' },
]
