import type { DriveFound } from '@atoll/contract/personal-server'
import { Dialog } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { fileAddress, inlineAddress } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import dialog from '../dialogs/Dialog.module.css'
import { PdfPreview } from './PdfPreview.tsx'
import { PicturePreview } from './PicturePreview.tsx'
import classes from './Preview.module.css'
import { findPreviewKind } from './preview-kind.ts'
import { TextPreview } from './TextPreview.tsx'

const previews = { picture: PicturePreview, pdf: PdfPreview, text: TextPreview }

interface PreviewDialogProps {
  file: DriveFound
  onClose(): void
}

/** A picture, a text or a PDF before it is downloaded. */
export function PreviewDialog({ file, onClose }: PreviewDialogProps) {
  const t = useText()
  const kind = findPreviewKind(file.name)
  const Preview = kind && previews[kind]
  return (
    <Dialog opened onClose={onClose} title={file.name} size={960}>
      <div className={dialog.form}>
        {Preview && <Preview file={file} />}
        <div className={classes.answers}>
          {(kind === 'picture' || kind === 'pdf') && (
            <Button
              component="a"
              href={inlineAddress(file.path)}
              target="_blank"
              rel="noopener"
              leftSection={<IconExternalLink size={16} stroke={1.6} aria-hidden="true" />}
            >
              {t('preview.newTab')}
            </Button>
          )}
          <Button
            component="a"
            href={fileAddress(file.path)}
            download={file.name}
            leftSection={<IconDownload size={16} stroke={1.6} aria-hidden="true" />}
          >
            {t('drive.download')}
          </Button>
          <Button variant="filled" onClick={onClose} data-autofocus>
            {t('preview.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
