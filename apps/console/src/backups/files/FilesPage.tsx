import { type Backup, type BackupMachine, backupDetail, backupSnapshot, type Snapshot } from '@atoll/contract/backups'
import { Notice, PageHeader } from '@atoll/ui'
import { formatBytes } from '@atoll/ui/i18n'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ReadGrantRow } from '../detail/ReadGrantRow.tsx'
import { RestoreDialog } from '../dialogs/RestoreDialog.tsx'
import { countFiles } from '../plan-words.ts'
import { ChosenPanel } from './ChosenPanel.tsx'
import type { Choice } from './choice.ts'
import { FileBrowser } from './FileBrowser.tsx'
import classes from './Files.module.css'
import { OtherReaders } from './OtherReaders.tsx'
import type { EnteredPassword } from './use-folder.ts'

/** The files of one snapshot: browse, find, choose, and put back (board 49). */
export function FilesPage({ backupId, snapshotId }: { backupId: string; snapshotId: string }) {
  const t = useText()
  const locale = useLocale()
  const detail = useCall(backupDetail, { backupId })
  const query = useCall(backupSnapshot, { snapshotId })
  const at = query.data?.snapshot.createdAt
  const title = at
    ? t('backups.snapshotOf', { time: formatDayAndTimeWithin(at, serverNow(), locale) })
    : t('backups.snapshot')
  usePageTitle(title)
  useCrumb(title)
  const gone = (
    <ObjectGone title={t('backups.snapshotGone')} to={{ page: '/backup', label: t('backups.toBackups') }}>
      {t('backups.gone')}
    </ObjectGone>
  )
  return (
    <ObjectPage query={detail} page={title} errorTitle={t('backups.detailError')} gone={gone}>
      {({ backup, machine }) => (
        <ObjectPage query={query} page={title} errorTitle={t('backups.snapshotsError')} gone={gone}>
          {({ snapshot, seconds, resticId, backupId: of }) =>
            of === backupId ? (
              <SnapshotFiles
                backup={backup}
                machine={machine}
                snapshot={snapshot}
                seconds={seconds}
                resticId={resticId}
                title={title}
              />
            ) : (
              gone
            )
          }
        </ObjectPage>
      )}
    </ObjectPage>
  )
}

interface SnapshotFilesProps {
  backup: Backup
  machine: BackupMachine | null
  snapshot: Snapshot
  /** For all of it, estimated; null: unknown. */
  seconds: number | null
  resticId: string | null
  title: string
}

function SnapshotFiles({ backup, machine: own, snapshot, seconds, resticId, title }: SnapshotFilesProps) {
  const t = useText()
  const locale = useLocale()
  const [choice, setChoice] = useState<Choice>(new Map())
  // The one that opened the backup: the machine keeps it, and a restore may yet need it.
  const [entered, setEntered] = useState<EnteredPassword>({ password: '', attempt: 0 })
  const [isRestoring, setRestoring] = useState(false)
  // Chosen while the machine that was backed up is away; it goes on reading when that is back.
  const [reader, setReader] = useState<BackupMachine>()
  const machine = reader ?? own
  const { backupId, name, clusterName, actions } = backup
  const { files, size, restorable } = snapshot
  const canRestore = restorable && actions.includes('restore')
  const state = stateOf(snapshot, machine)
  return (
    <>
      <PageHeader
        title={title}
        actions={
          canRestore && <ChangeButton onClick={() => setRestoring(true)}>{t('backups.restoreAll')}</ChangeButton>
        }
      >
        <Link to="/backupDetails/$backupId" params={{ backupId }} className={classes.back}>
          {name}
        </Link>
        {[clusterName, t('backups.sizeInFiles', { size: formatBytes(size ?? 0, locale), ...countFiles(files, locale) })]
          .map((each) => t('money.dot') + each)
          .join('')}
      </PageHeader>
      {state === 'there' && machine ? (
        <div className={classes.page}>
          <FileBrowser
            backup={backup}
            machine={machine}
            entered={entered}
            choice={choice}
            snapshotId={snapshot.snapshotId}
            onPassword={(password) => setEntered({ password, attempt: entered.attempt + 1 })}
            onChoose={setChoice}
          />
          <ChosenPanel
            backup={backup}
            machine={machine}
            snapshot={snapshot}
            seconds={seconds}
            resticId={resticId}
            choice={choice}
            password={entered.password}
            canRestore={canRestore}
            onClear={() => setChoice(new Map())}
          />
        </div>
      ) : (
        <div className="stack">
          <Unlisted state={state} cluster={clusterName} />
          {(state === 'offline' || state === 'gone') && <OtherReaders backup={backup} onChoose={setReader} />}
          {state !== 'notKept' && (
            <section className="box" aria-label={t('backups.alone')}>
              <ReadGrantRow backup={backup} />
            </section>
          )}
        </div>
      )}
      {isRestoring && (
        <RestoreDialog backup={backup} snapshot={snapshot} machine={own} onClose={() => setRestoring(false)} />
      )}
    </>
  )
}

type FilesState = 'there' | 'offline' | 'noKey' | 'gone' | 'notKept'

function stateOf({ restorable }: Snapshot, machine: BackupMachine | null): FilesState {
  if (!restorable) return 'notKept'
  if (machine === null) return 'gone'
  if (!machine.connected) return 'offline'
  return machine.key === null ? 'noKey' : 'there'
}

/** Why no names are shown. */
function Unlisted({ state, cluster }: { state: FilesState; cluster: string }) {
  const t = useText()
  if (state === 'notKept') return <Notice tone="amber" title={t('backups.look.notKept')} />
  if (state === 'noKey') return <Notice tone="amber" title={t('backups.noKey')} />
  return state === 'gone' ? (
    <Notice tone="amber" title={t('backups.look.gone', { cluster })}>
      {t('backups.look.goneText')}
    </Notice>
  ) : (
    <Notice tone="amber" title={t('backups.look.offline', { cluster })}>
      {t('backups.look.offlineText', { cluster })}
    </Notice>
  )
}
