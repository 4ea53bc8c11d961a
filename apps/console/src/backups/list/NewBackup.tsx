import type { BackupMachine } from '@atoll/contract/backups'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'
import { NewBackupDialog } from '../dialogs/NewBackupDialog.tsx'

interface NewBackupProps {
  /** Sources that can be backed up. */
  machines: readonly BackupMachine[]
  /** Why nothing can; absent: it can. */
  reason: string | undefined
}

/** The button for a new backup, and its dialog. */
export function NewBackup({ machines, reason }: NewBackupProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ChangeButton
        leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
        {...refusedButton(reason)}
        onClick={reason === undefined ? () => setOpen(true) : undefined}
      >
        {t('backups.new')}
      </ChangeButton>
      {isOpen && <NewBackupDialog machines={machines} onClose={() => setOpen(false)} />}
    </>
  )
}
