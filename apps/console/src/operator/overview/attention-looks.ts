import type { AttentionKind } from '@atoll/contract/staff'
import {
  type Icon,
  IconCreditCardOff,
  IconFlag,
  IconHistory,
  IconRefreshAlert,
  IconVersions,
} from '@tabler/icons-react'
import type { TextKey } from '../../locales/text.ts'

/** How each kind of item is shown, and the page that mends it. */
export const attentionLooks: Record<AttentionKind, { icon: Icon; title: TextKey; text: TextKey; section: string }> = {
  stuckClusters: {
    icon: IconRefreshAlert,
    title: 'operator.attention.stuckClusters',
    text: 'operator.attention.stuckClustersText',
    section: 'clusters',
  },
  failingBackups: {
    icon: IconHistory,
    title: 'operator.attention.failingBackups',
    text: 'operator.attention.failingBackupsText',
    section: 'customers',
  },
  failedPayments: {
    icon: IconCreditCardOff,
    title: 'operator.attention.failedPayments',
    text: 'operator.attention.failedPaymentsText',
    section: 'customers',
  },
  abuseReports: {
    icon: IconFlag,
    title: 'operator.attention.abuseReports',
    text: 'operator.attention.abuseReportsText',
    section: 'abuse',
  },
  pausedRollout: {
    icon: IconVersions,
    title: 'operator.attention.pausedRollout',
    text: 'operator.attention.pausedRolloutText',
    section: 'versions',
  },
}
