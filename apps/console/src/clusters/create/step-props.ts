import type { backupSnapshot } from '@atoll/contract/backups'
import type { CallData } from '@atoll/contract/wire'
import type { Init } from '../../data/home-queries.ts'
import type { OrderInfo } from '../offers/create-choice.ts'

/** A snapshot that a cluster is made of. */
export type RestoreSource = CallData<typeof backupSnapshot>

/** The snapshot as an order names it. */
export function restoreOf({ backupId, snapshot: { snapshotId } }: RestoreSource) {
  return { backupId, snapshotId }
}

/** Props of every step of creating a cluster. */
export interface StepProps {
  /** With what the cluster is to hold, where it is made of a backup. */
  init: Omit<Init, 'instanceInfo'> & { instanceInfo: OrderInfo }
  source?: RestoreSource | undefined
  userid: string
  /** Of a Cloudflare tunnel; a secret, so it lives as long as the page and stands in no address. */
  tunnelToken: string
  onTunnelToken: (token: string) => void
}
