import { type Backup, type BackupMachine, backupList } from '@atoll/contract/backups'
import { Button } from '@mantine/core'
import { useCall } from '../../data/use-call.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useText } from '../../locales/text.ts'

/** Clusters of the account that are online and can read the snapshot in place of the one that was backed up. */
export function OtherReaders({ backup, onChoose }: { backup: Backup; onChoose: (machine: BackupMachine) => void }) {
  const t = useText()
  const { data, error, refetch } = useCall(backupList, {})
  if (!data && error) return <LoadFailure title={t('backups.errorTitle')} error={error} onRetry={refetch} />
  const readers = data?.machines.filter(
    ({ clusterId, connected, key, restic }) =>
      clusterId !== backup.clusterId && connected && key !== null && restic !== null,
  )
  if (!readers || readers.length === 0) return null
  return (
    <SettingRows>
      {readers.map((machine) => (
        <SettingRow
          key={machine.clusterId}
          title={t('backups.look.readWith', { cluster: machine.clusterName })}
          text={t('backups.look.readWithText', { cluster: machine.clusterName })}
        >
          <Button
            size="xs"
            aria-label={t('common.labelled', { label: machine.clusterName, value: t('backups.look.readHere') })}
            onClick={() => onChoose(machine)}
          >
            {t('backups.look.readHere')}
          </Button>
        </SettingRow>
      ))}
    </SettingRows>
  )
}
