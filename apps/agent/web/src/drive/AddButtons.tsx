import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './DrivePage.module.css'

interface AddButtonsProps {
  /** The field that lets a person choose files; others open it too. */
  chooser: RefObject<HTMLInputElement | null>
  onNewFolder(): void
  onFiles(files: readonly File[]): void
}

/** Buttons that put something new into the folder. */
export function AddButtons({ chooser, onNewFolder, onFiles }: AddButtonsProps) {
  const t = useText()
  return (
    <div className={classes.actions}>
      <Button leftSection={<IconFolderPlus size={16} stroke={1.6} aria-hidden="true" />} onClick={onNewFolder}>
        {t('drive.newFolder')}
      </Button>
      <Button
        variant="filled"
        leftSection={<IconUpload size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => chooser.current?.click()}
      >
        {t('drive.upload')}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('drive.upload')}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
