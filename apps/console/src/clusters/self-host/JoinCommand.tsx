import { Notice, useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatStopwatch } from '../../kit/format/stopwatch.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useText } from '../../locales/text.ts'
import { isLoopback } from './is-loopback.ts'
import classes from './JoinCommand.module.css'
import type { EnrollCommandState } from './use-enroll-command.ts'

interface JoinCommandProps {
  join: Omit<EnrollCommandState, 'forget'>
}

/** The one command to run on a host: copied with one press, counted down, renewed when it is used up or too old. */
export function JoinCommand({ join: { command, renew: onRenew, isRenewing, error } }: JoinCommandProps) {
  const t = useText()
  const { state, copy } = useCopy()
  useNow(command ? 1000 : undefined)
  const leftMs = command ? Date.parse(command.expireAt) - serverNow() : 0
  const expired = leftMs <= 0
  const renew = (
    <ChangeButton
      size="xs"
      variant={expired ? 'filled' : 'subtle'}
      loading={isRenewing}
      leftSection={<IconRefresh size={15} stroke={1.6} aria-hidden="true" />}
      onClick={onRenew}
    >
      {t(expired ? 'join.show' : 'join.renew')}
    </ChangeButton>
  )
  return (
    <div className={classes.join}>
      {command && !expired ? (
        <>
          {isLoopback(command.command) && (
            <Notice tone="amber" title={t('join.loopbackTitle')}>
              {t('join.loopback')}
            </Notice>
          )}
          <div className={classes.box}>
            <code className={classes.command}>{command.command}</code>
          </div>
          <div className={classes.foot}>
            <Button
              size="xs"
              variant="filled"
              leftSection={
                state === 'copied' ? (
                  <IconCheck size={15} stroke={2.2} aria-hidden="true" />
                ) : (
                  <IconCopy size={15} stroke={1.6} aria-hidden="true" />
                )
              }
              onClick={() => copy(command.command)}
            >
              {t(state === 'copied' ? 'common.copied' : 'join.copy')}
            </Button>
            {renew}
            <span className={classes.left} role="timer">
              {t('join.left', { time: formatStopwatch(leftMs) })}
            </span>
          </div>
          {state === 'failed' && <p className={classes.note}>{t('common.copyFailed')}</p>}
        </>
      ) : (
        <div className={classes.foot}>
          <p className={classes.note}>{t(command ? 'join.expired' : 'join.hidden')}</p>
          {renew}
        </div>
      )}
      <FailureNotice error={error} className={classes.failure} />
    </div>
  )
}
