import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import type { SnapshotItem } from '@atoll/contract/personal-server-backups'
import { Dialog } from '@atoll/ui'
import { Button, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SnapshotRef } from '../api/backups.ts'
import dialogs from '../drive/dialogs/Dialog.module.css'
import { nameOf, parentOf } from '../drive/paths.ts'
import { useLocale, useText } from '../i18n/text.ts'
import { formatDay } from '../i18n/times.ts'
import { besideNameOf, keptNameOf, readableName } from './put-back-names.ts'
import { usePutBack } from './use-put-back.ts'

interface PutBackDialogProps {
  snapshot: SnapshotRef
  /** Of the snapshot, ms. */
  takenAt: number | undefined
  item: SnapshotItem
  path: string
  onClose(): void
}

/** Asks before an entry of a backup comes back, and says where it is then. */
export function PutBackDialog({ snapshot, takenAt, item, path, onClose }: PutBackDialogProps) {
  const t = useText()
  const locale = useLocale()
  const [replace, setReplace] = useState(false)
  const { busy, problem, placed, begin } = usePutBack()
  // Without the list of backups its own time is the best that is known.
  const besideName = besideNameOf(item.name, formatDay(takenAt ?? Date.parse(item.modifiedAt), locale), t)
  const keptName = keptNameOf(item.name, formatDay(Date.now(), locale), t)
  if (placed) {
    const folder = parentOf(placed.path)
    return (
      <Dialog opened onClose={onClose} title={t('backups.putBackDone')}>
        <div className={dialogs.form}>
          <p className={dialogs.words} role="status">
            {t('backups.putBackAt', { path: readableName(placed.path) })}{' '}
            {placed.kept !== null && t('backups.putBackKept', { name: readableName(nameOf(placed.kept)) })}
          </p>
          <div className={dialogs.answers}>
            <Button onClick={onClose}>{t('backups.close')}</Button>
            <Button
              variant="filled"
              data-autofocus
              renderRoot={(props) => <Link to="/" search={folder === '/' ? {} : { path: folder }} {...props} />}
            >
              {t('backups.openFolder')}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog opened onClose={onClose} title={t('backups.putBackTitle', { name: readableName(item.name) })}>
      <div className={dialogs.form}>
        <p className={dialogs.words}>
          {t('backups.putBackBody', {
            folder: parentOf(path) === '/' ? t('drive.root') : readableName(parentOf(path)),
            name: besideName,
          })}
        </p>
        <Checkbox
          checked={replace}
          disabled={busy}
          label={t('backups.replace')}
          description={t('backups.replaceHelp', { name: keptName })}
          onChange={(event) => setReplace(event.currentTarget.checked)}
        />
        <p className={problem ? dialogs.problem : dialogs.words} role={problem ? 'alert' : 'status'}>
          {problem ?? (busy ? t('backups.puttingBack') : '')}
        </p>
        <div className={dialogs.answers}>
          <Button onClick={onClose}>{t(busy ? 'backups.close' : 'act.cancel')}</Button>
          <Button
            variant="filled"
            loading={busy}
            onClick={() => void begin({ ...snapshot, path, besideName, keptName, replace })}
            data-autofocus
          >
            {t(replace ? 'backups.replaceDo' : 'backups.putBack')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
