import type { AttentionKind } from '@atoll/contract/staff'
import {
  type Icon,
  IconArrowBackUp,
  IconCertificate,
  IconCoin,
  IconCreditCardOff,
  IconDatabaseExclamation,
  IconFlag,
  IconHistory,
  IconLifebuoy,
  IconQuestionMark,
  IconRefreshAlert,
  IconScale,
  IconServer,
  IconShieldX,
  IconVersions,
  IconWorldOff,
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
    section: 'money',
  },
  openDisputes: {
    icon: IconScale,
    title: 'operator.attention.openDisputes',
    text: 'operator.attention.openDisputesText',
    section: 'money',
  },
  unknownPayments: {
    icon: IconQuestionMark,
    title: 'operator.attention.unknownPayments',
    text: 'operator.attention.unknownPaymentsText',
    section: 'money',
  },
  failedRefunds: {
    icon: IconArrowBackUp,
    title: 'operator.attention.failedRefunds',
    text: 'operator.attention.failedRefundsText',
    section: 'money',
  },
  lostCaptures: {
    icon: IconCoin,
    title: 'operator.attention.lostCaptures',
    text: 'operator.attention.lostCapturesText',
    section: 'money',
  },
  brokenBooks: {
    icon: IconShieldX,
    title: 'operator.attention.brokenBooks',
    text: 'operator.attention.brokenBooksText',
    section: 'money',
  },
  oldBackup: {
    icon: IconDatabaseExclamation,
    title: 'operator.attention.oldBackup',
    text: 'operator.attention.oldBackupText',
    section: 'system',
  },
  oldDrill: {
    icon: IconLifebuoy,
    title: 'operator.attention.oldDrill',
    text: 'operator.attention.oldDrillText',
    section: 'system',
  },
  fullDisk: {
    icon: IconServer,
    title: 'operator.attention.fullDisk',
    text: 'operator.attention.fullDiskText',
    section: 'system',
  },
  endingCertificates: {
    icon: IconCertificate,
    title: 'operator.attention.endingCertificates',
    text: 'operator.attention.endingCertificatesText',
    section: 'system',
  },
  silentNameServers: {
    icon: IconWorldOff,
    title: 'operator.attention.silentNameServers',
    text: 'operator.attention.silentNameServersText',
    section: 'system',
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
