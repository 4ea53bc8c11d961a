import type { DriveFound } from '@atoll/contract/personal-server'
import { inlineAddress } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import classes from './Preview.module.css'

interface PdfPreviewProps {
  file: DriveFound
}

/** A PDF in the browser's own viewer, which some browsers on phones lack. */
export function PdfPreview({ file }: PdfPreviewProps) {
  const t = useText()
  if (!navigator.pdfViewerEnabled)
    return (
      <div className={classes.frame}>
        <p className={classes.words}>{t('preview.noPdf')}</p>
      </div>
    )
  return <iframe className={classes.pdf} src={inlineAddress(file.path)} title={file.name} />
}
