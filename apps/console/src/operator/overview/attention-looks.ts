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

/** How each kind of item is shown, and the page that mends it. */
export const attentionLooks: Record<AttentionKind, { icon: Icon; section: string }> = {
  stuckClusters: { icon: IconRefreshAlert, section: 'clusters' },
  failingBackups: { icon: IconHistory, section: 'customers' },
  failedPayments: { icon: IconCreditCardOff, section: 'money' },
  openDisputes: { icon: IconScale, section: 'money' },
  unknownPayments: { icon: IconQuestionMark, section: 'money' },
  failedRefunds: { icon: IconArrowBackUp, section: 'money' },
  lostCaptures: { icon: IconCoin, section: 'money' },
  brokenBooks: { icon: IconShieldX, section: 'money' },
  oldBackup: { icon: IconDatabaseExclamation, section: 'system' },
  oldDrill: { icon: IconLifebuoy, section: 'system' },
  fullDisk: { icon: IconServer, section: 'system' },
  endingCertificates: { icon: IconCertificate, section: 'system' },
  silentNameServers: { icon: IconWorldOff, section: 'system' },
  abuseReports: { icon: IconFlag, section: 'abuse' },
  pausedRollout: { icon: IconVersions, section: 'versions' },
}
