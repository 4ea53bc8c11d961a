import { UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useText } from '../../i18n/text.ts'
import { UploadRow } from './UploadRow.tsx'
import classes from './UploadTray.module.css'
import { uploads } from './upload-queue.ts'

/** Uploads into any folder, newest first; stays until it is closed. */
export function UploadTray() {
  const t = useText()
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  const open = list.filter(({ state }) => state === 'running' || state === 'waiting').length
  useEffect(() => {
    if (open === 0) return
    // Leaving would cut what runs; the browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [open])
  if (list.length === 0) return null
  return (
    <section className={classes.tray} aria-label={t('uploads.title', { count: list.length })}>
      <header className={classes.head}>
        <h2 className={classes.title}>{t('uploads.title', { count: list.length })}</h2>
        {open === 0 && (
          <UnstyledButton className={classes.tool} aria-label={t('uploads.clear')} onClick={() => uploads.clear()}>
            <IconX size={16} stroke={1.6} aria-hidden="true" />
          </UnstyledButton>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and may hold nothing that takes focus */}
      <ul className={classes.list} tabIndex={0}>
        {list.toReversed().map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}
