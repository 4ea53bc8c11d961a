import { formatBytes, formatPercent } from '@atoll/ui/i18n'
import { Button, UnstyledButton } from '@mantine/core'
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react'
import { useProblemText } from '../../api/use-problem-text.ts'
import { currentLocale } from '../../i18n/language.ts'
import { useText } from '../../i18n/text.ts'
import { tipOfName } from '../cut-name.ts'
import { FileName } from '../FileName.tsx'
import classes from './UploadTray.module.css'
import { type Upload, uploads } from './upload-queue.ts'

interface UploadRowProps {
  upload: Upload
}

/** One upload: how far it is, and what can be done about it. */
export function UploadRow({ upload }: UploadRowProps) {
  const t = useText()
  const problemText = useProblemText()
  const locale = currentLocale()
  const { id, name, sent, size, state, error } = upload
  const share = size > 0 ? Math.min(1, sent / size) : 1
  const words = {
    waiting: () => t('uploads.waiting'),
    running: () => t('uploads.progress', { done: formatBytes(sent, locale), total: formatBytes(size, locale) }),
    done: () => t('uploads.done'),
    failed: () => problemText(error),
    exists: () => t('uploads.exists'),
    canceled: () => t('uploads.canceled'),
  }
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <div className={classes.name} data-tip={tipOfName(name)}>
          <FileName name={name} />
        </div>
        <div className={classes.state} data-state={state} role={state === 'failed' ? 'alert' : undefined}>
          {words[state]()}
        </div>
        {state === 'running' && (
          <div
            className={classes.progress}
            role="progressbar"
            aria-label={t('uploads.percent', { name, percent: formatPercent(share, locale) })}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.round(share * 100)}
          >
            <i className={classes.sent} style={{ width: `${share * 100}%` }} />
          </div>
        )}
        {state === 'exists' && (
          <div className={classes.choices}>
            <Button size="xs" onClick={() => uploads.keepBoth(id)}>
              {t('uploads.keepBoth')}
            </Button>
            <Button size="xs" onClick={() => uploads.replace(id)}>
              {t('uploads.replace')}
            </Button>
          </div>
        )}
      </div>
      {state === 'done' && <IconCheck size={16} stroke={2.2} className={classes.done} aria-hidden="true" />}
      {(state === 'failed' || state === 'canceled') && (
        <UnstyledButton
          className={classes.tool}
          aria-label={t('uploads.retry', { name })}
          onClick={() => uploads.retry(id)}
        >
          <IconRefresh size={16} stroke={1.6} aria-hidden="true" />
        </UnstyledButton>
      )}
      {(state === 'waiting' || state === 'running' || state === 'exists') && (
        <UnstyledButton
          className={classes.tool}
          aria-label={t('uploads.cancel', { name })}
          onClick={() => uploads.cancel(id)}
        >
          <IconX size={16} stroke={1.6} aria-hidden="true" />
        </UnstyledButton>
      )}
    </li>
  )
}
