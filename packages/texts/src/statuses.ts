import type { ClusterStatus } from '@atoll/contract/clusters'
import { type Locale, lookUp } from '@atoll/contract/wire'
import english from '../en-US/shared/statuses.json' with { type: 'json' }
import chinese from '../zh-CN/shared/statuses.json' with { type: 'json' }

export const statusLabels: Record<Locale, Readonly<Record<ClusterStatus, string>>> = {
  'en-US': english,
  'zh-CN': chinese,
}

/** A status in words; one that is not known yet is shown as it is. */
export function statusLabel(status: ClusterStatus, locale: Locale): string {
  return lookUp<ClusterStatus, string>(statusLabels[locale], status, status)
}
