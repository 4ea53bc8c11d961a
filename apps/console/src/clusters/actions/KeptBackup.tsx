import { backupList } from '@atoll/contract/backups'
import type { Resource } from '@atoll/contract/clusters'
import { Skeleton } from '@mantine/core'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { formatAgo } from '../../kit/format/times.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { newestKept } from './kept-backup.ts'

/** Before a cluster of the reader is destroyed: which backup is left of its files. */
export function KeptBackup({ cluster: { clusterId, clusterType } }: { cluster: Resource }) {
  const t = useText()
  const locale = useLocale()
  const { data, error } = useCall(backupList, {})
  if (!data) {
    return error ? (
      <FailureNotice error={error} title={t('dialog.destroyBackupUnknown')} className={classes.failure} />
    ) : (
      <Skeleton height={22} mt={12} />
    )
  }
  const newest = newestKept(data.backups, clusterId)
  if (newest) {
    const words = { name: newest.name, ago: formatAgo(newest.at, serverNow(), locale) }
    return <p className={classes.text}>{t('dialog.destroyBackup', words)}</p>
  }
  // The files of a machine of their own stay on it unless the owner says otherwise.
  return clusterType === 'SelfHost' ? null : <p className={classes.text}>{t('dialog.destroyNoBackup')}</p>
}
