import type { DriveFound } from '@atoll/contract/personal-server'
import { useState } from 'react'
import { inlineAddress } from '../../api/server.ts'
import { useText } from '../../i18n/text.ts'
import classes from './Preview.module.css'

interface PicturePreviewProps {
  file: DriveFound
}

/** A picture, whole. */
export function PicturePreview({ file }: PicturePreviewProps) {
  const t = useText()
  const [failed, setFailed] = useState(false)
  return (
    <div className={classes.frame}>
      {failed ? (
        <p className={classes.words} role="alert">
          {t('preview.noPicture')}
        </p>
      ) : (
        <img
          className={classes.picture}
          src={inlineAddress(file.path)}
          alt={file.name}
          onError={() => setFailed(true)}
        />
      )}
    </div>
  )
}
