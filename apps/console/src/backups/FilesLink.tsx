import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../locales/text.ts'

interface FilesLinkProps extends Pick<ButtonProps, 'size' | 'className'> {
  backupId: string
  snapshotId: string
  /** Whose files they are, where more than one such button is shown. */
  of?: string
}

/** Leads to the files of a snapshot, to find and choose some of them (board 49). */
export function FilesLink({ backupId, snapshotId, of, ...props }: FilesLinkProps) {
  const t = useText()
  return (
    <Button
      {...props}
      {...(of !== undefined && { 'aria-label': t('common.labelled', { label: of, value: t('backups.browse') }) })}
      renderRoot={(root) => (
        <Link {...root} to="/backupDetails/$backupId" params={{ backupId }} search={{ snapshot: snapshotId }} />
      )}
    >
      {t('backups.browse')}
    </Button>
  )
}
