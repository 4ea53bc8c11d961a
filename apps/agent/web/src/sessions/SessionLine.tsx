import type { OpenSession } from '@atoll/contract/personal-server'
import { Facts } from '@atoll/ui'
import { Button } from '@mantine/core'
import { endSession } from '../api/server.ts'
import { useSubmission } from '../drive/use-submission.ts'
import { useLocale, useText } from '../i18n/text.ts'
import { formatWhen } from '../i18n/times.ts'
import { DeviceIcon } from './DeviceIcon.tsx'
import classes from './Sessions.module.css'
import { useDeviceText } from './use-device-text.ts'

interface SessionLineProps {
  session: OpenSession
  onEnded(): void
}

/** A browser that is signed in: which, where, since when; and how to end that. */
export function SessionLine({ session: { id, current, place, openedAt }, onEnded }: SessionLineProps) {
  const t = useText()
  const locale = useLocale()
  const { busy, problem, submit } = useSubmission(onEnded)
  const device = useDeviceText()(place)
  return (
    <li className={classes.line}>
      <DeviceIcon kind={place?.device.kind} />
      <div className={classes.words}>
        <span className={classes.title}>
          {device}
          {current && <span className={classes.tag}>{t('sessions.current')}</span>}
        </span>
        <Facts>
          <span className="num">{place?.network ?? t('sessions.unknownPlace')}</span>
          {openedAt !== null && t('sessions.since', { time: formatWhen(openedAt, Date.now(), locale) })}
          {problem && <span role="alert">{problem}</span>}
        </Facts>
      </div>
      {!current && (
        <Button
          size="xs"
          loading={busy}
          aria-label={t('sessions.endOf', { device })}
          onClick={() => void submit(() => endSession(id))}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
