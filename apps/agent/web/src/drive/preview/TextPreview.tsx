import type { DriveFound } from '@atoll/contract/personal-server'
import { formatBytes } from '@atoll/ui/i18n'
import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { readText } from '../../api/server.ts'
import { useProblemText } from '../../api/use-problem-text.ts'
import { currentLocale } from '../../i18n/language.ts'
import { useText } from '../../i18n/text.ts'
import classes from './Preview.module.css'

/** More than anybody reads here; a page of this length still scrolls well on a phone. Bytes */
const maxBytes = 256_000

interface TextPreviewProps {
  file: DriveFound
}

/** The beginning of a file as text, whatever it holds. */
export function TextPreview({ file }: TextPreviewProps) {
  const t = useText()
  const problemText = useProblemText()
  const [answer, setAnswer] = useState<{ text: string } | { error: unknown }>()
  useEffect(() => {
    const stop = new AbortController()
    readText(file.path, maxBytes, stop.signal).then(
      (text) => setAnswer({ text }),
      (error: unknown) => !stop.signal.aborted && setAnswer({ error }),
    )
    return () => stop.abort()
  }, [file.path])
  if (answer && 'text' in answer && answer.text !== '')
    return (
      <>
        {file.size > maxBytes && (
          <p className={classes.words}>{t('preview.cut', { size: formatBytes(maxBytes, currentLocale()) })}</p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and holds nothing that takes focus */}
        <section className={classes.text} tabIndex={0} aria-label={file.name}>
          <pre>{answer.text}</pre>
        </section>
      </>
    )
  return (
    <div className={classes.frame}>
      {!answer && <Loader size={18} color="var(--atoll-accent-line)" aria-label={t('preview.loading')} />}
      {answer && (
        <p className={classes.words} role="status">
          {'error' in answer ? problemText(answer.error) : t('preview.empty')}
        </p>
      )}
    </div>
  )
}
