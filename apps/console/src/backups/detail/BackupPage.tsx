import { backupDetail } from '@atoll/contract/backups'
import { useCall } from '../../data/use-call.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { BackupView } from './BackupView.tsx'

/** One backup: its figures, what runs now, its snapshots and restores (spec §2, `/backupDetails/{backupId}`). */
export function BackupPage({ backupId }: { backupId: string }) {
  const t = useText()
  const query = useCall(backupDetail, { backupId })
  const name = query.data?.backup.name ?? t('backups.backup')
  usePageTitle(name)
  useCrumb(name)
  return (
    <ObjectPage
      query={query}
      page={t('backups.backup')}
      errorTitle={t('backups.detailError')}
      gone={
        <ObjectGone title={t('backups.goneTitle')} to={{ page: '/backup', label: t('backups.toBackups') }}>
          {t('backups.gone')}
        </ObjectGone>
      }
    >
      {(data) => <BackupView {...data} />}
    </ObjectPage>
  )
}
