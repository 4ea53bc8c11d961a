import { codeToFragment, encodeSignRequest } from '@atoll/contract/identity'
import { IconBulb, IconBulbOff, IconClipboard, IconPhoto, IconX } from '@tabler/icons-react'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { type ChangeEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/text.ts'
import screen from '../kit/screens/Screen.module.css'
import { findCode } from '../scan/code-reader.ts'
import { PasteCode } from '../scan/PasteCode.tsx'
import classes from '../scan/Scan.module.css'
import { ScanFinder } from '../scan/ScanFinder.tsx'
import { UnreadableCode } from '../scan/UnreadableCode.tsx'
import { useCodeCamera } from '../scan/use-code-camera.ts'
import { type Reading, readCode } from '../sign/reading.ts'

export const Route = createFileRoute('/scan')({ component: Scan })

type UnknownReason = Extract<Reading, { kind: 'unknown' }>['reason']

function Scan() {
  const navigate = useNavigate()
  const [unknown, setUnknown] = useState<{ reason: UnknownReason; text: string }>()
  const take = useCallback(
    (text: string) => {
      const reading = readCode(text)
      if (reading.kind === 'unknown') return setUnknown({ reason: reading.reason, text })
      if (reading.kind === 'domain')
        return void navigate({ to: '/domain/$base', params: { base: reading.base }, replace: true })
      const hash = codeToFragment(reading.kind === 'act' ? reading.text : encodeSignRequest(reading.request))
      void navigate({ to: '/approve', search: { via: 'scan' }, hash, replace: true })
    },
    [navigate],
  )
  if (unknown) return <UnreadableCode {...unknown} onScanAgain={() => setUnknown(undefined)} />
  return <Scanner onCode={take} />
}

interface ScannerProps {
  onCode(text: string): void
}

/** Camera, picture or pasted text; each ends in `onCode`. */
function Scanner({ onCode }: ScannerProps) {
  const t = useText()
  const video = useRef<HTMLVideoElement>(null)
  const [pasting, setPasting] = useState(false)
  const [complaint, setComplaint] = useState<'noCodeInPicture' | 'failedBody'>()
  const [lit, setLit] = useState(false)
  const camera = useCodeCamera(video, onCode)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  const readPicture = async (event: ChangeEvent<HTMLInputElement>) => {
    const [picture] = event.currentTarget.files ?? []
    event.currentTarget.value = ''
    if (!picture) return
    setComplaint(undefined)
    try {
      const code = await findCode(picture)
      // The reader may have been long on its way, and the person have gone elsewhere.
      if (isLeft.current) return
      if (code) onCode(code)
      else setComplaint('noCodeInPicture')
    } catch {
      setComplaint('failedBody')
    }
  }
  const torch = camera.kind === 'running' ? camera.torch : undefined
  const switchTorch = async () => {
    await torch?.(!lit)
    setLit(!lit)
  }
  return (
    <main className={classes.scan}>
      <video ref={video} className={classes.video} muted playsInline />
      <div className={classes.bar}>
        <Link to="/" className={screen.tool} aria-label={t('act.close')} title={t('act.close')}>
          <IconX size={22} stroke={1.8} aria-hidden="true" />
        </Link>
        <h1 className={classes.title}>{t('scan.title')}</h1>
        {torch ? (
          <button
            type="button"
            className={screen.tool}
            onClick={() => void switchTorch()}
            aria-label={t(lit ? 'scan.torchOff' : 'scan.torchOn')}
          >
            {lit ? (
              <IconBulbOff size={21} stroke={1.7} aria-hidden="true" />
            ) : (
              <IconBulb size={21} stroke={1.7} aria-hidden="true" />
            )}
          </button>
        ) : (
          <span className={screen.tool} />
        )}
      </div>
      <ScanFinder camera={camera} complaint={complaint && t(`scan.${complaint}`)} />
      <div className={classes.ways}>
        <label className={classes.way}>
          <IconPhoto size={19} stroke={1.6} aria-hidden="true" />
          {t('scan.picture')}
          <input type="file" accept="image/*" className={classes.file} onChange={(event) => void readPicture(event)} />
        </label>
        <button type="button" className={classes.way} onClick={() => setPasting(true)}>
          <IconClipboard size={19} stroke={1.6} aria-hidden="true" />
          {t('scan.paste')}
        </button>
      </div>
      <PasteCode opened={pasting} onClose={() => setPasting(false)} onCode={onCode} />
    </main>
  )
}
