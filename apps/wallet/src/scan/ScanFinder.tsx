import { IconCameraOff } from '@tabler/icons-react'
import { useText } from '../i18n/text.ts'
import classes from './Scan.module.css'
import type { CameraState } from './use-code-camera.ts'

interface ScanFinderProps {
  camera: CameraState
  /** Why the last picture gave nothing. */
  complaint: string | undefined
}

/** The frame to point with, or why there is no camera and what to do instead. */
export function ScanFinder({ camera, complaint }: ScanFinderProps) {
  const t = useText()
  return (
    <div className={classes.finder}>
      {camera.kind === 'unavailable' ? (
        <div className={classes.none} role="status">
          <IconCameraOff size={40} stroke={1.4} aria-hidden="true" />
          <p className={classes.say}>{t(`scan.${camera.why}Title`)}</p>
          <p className={classes.hint}>{t(`scan.${camera.why}Body`)}</p>
        </div>
      ) : (
        <>
          <div className={classes.frame}>
            <svg viewBox="0 0 256 276" fill="none" aria-hidden="true">
              <path d="M2 48V22Q2 2 22 2H48M228 2H234Q254 2 254 22V48M254 228V254Q254 274 234 274H208M48 274H22Q2 274 2 254V228M208 2H230" />
            </svg>
          </div>
          <p className={classes.say}>{t(camera.kind === 'starting' ? 'scan.starting' : 'scan.point')}</p>
          <p className={classes.hint}>{t('scan.nothingSigned')}</p>
        </>
      )}
      <p className={classes.complaint} role="alert">
        {complaint}
      </p>
    </div>
  )
}
