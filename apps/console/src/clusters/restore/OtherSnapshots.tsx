import { type Backup, backupSnapshots } from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { formatAgo, formatDayAndTime } from '../../kit/format/times.ts'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'

/** Of the backup whose newest is offered above; the others stand on its own page. */
const mostShown = 3

interface OtherSnapshotsProps {
  /** Of the cluster, with a snapshot that is kept. */
  backups: readonly Backup[]
  backup: Backup
  snapshotId: string
  onChoose: (chosen: { backupId: string; snapshotId: string }) => void
}

/** Older snapshots of the same backup, and the newest of the others; none where they did not load. */
export function OtherSnapshots({ backups, backup, snapshotId, onChoose }: OtherSnapshotsProps) {
  const t = useText()
  const locale = useLocale()
  const { backupId } = backup
  const now = serverNow()
  const found = useCall(backupSnapshots, { backupId, page: 1 }).data?.snapshots ?? []
  const rows = [
    ...found
      .filter((each) => each.restorable && each.snapshotId !== snapshotId)
      .slice(0, mostShown)
      .map(({ snapshotId, createdAt, size }) => ({
        backupId,
        snapshotId,
        at: createdAt,
        text: [...(size === null ? [] : [formatBytes(size, locale)]), formatAgo(createdAt, now, locale)].join(
          t('money.dot'),
        ),
      })),
    ...backups.flatMap(({ backupId, newestKept, lastCompletedAt, name }) =>
      backupId === backup.backupId || newestKept === null || lastCompletedAt === null
        ? []
        : [{ backupId, snapshotId: newestKept, at: lastCompletedAt, text: t('lost.ofBackup', { name }) }],
    ),
  ]
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="otherSnapshots">
      <SettingRows>
        <div className={classes.cardHeader}>
          <h2 id="otherSnapshots">{t('lost.another')}</h2>
          <Link className={classes.cardAction} to="/backupDetails/$backupId" params={{ backupId }} search={{}}>
            {t('lost.all')}
          </Link>
        </div>
        {rows.map(({ text, at, ...chosen }) => {
          const time = formatDayAndTime(at, now, locale)
          return (
            <SettingRow key={chosen.snapshotId} title={time} text={text}>
              <Button
                size="xs"
                aria-label={t('common.labelled', { label: time, value: t('lost.thisOne') })}
                onClick={() => onChoose(chosen)}
              >
                {t('lost.thisOne')}
              </Button>
            </SettingRow>
          )
        })}
      </SettingRows>
    </section>
  )
}
