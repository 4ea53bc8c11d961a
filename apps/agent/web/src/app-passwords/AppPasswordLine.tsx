import type { AppPassword } from '@atoll/contract/personal-server'
import { Facts } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { revokeAppPassword } from '../api/server.ts'
import { useSubmission } from '../drive/use-submission.ts'
import { useLocale, useText } from '../i18n/text.ts'
import { formatWhen } from '../i18n/times.ts'
import classes from '../sessions/Sessions.module.css'

interface AppPasswordLineProps {
  password: AppPassword
  onRevoked(): void
}

/** One device: when and where its password was used last, and how to revoke it. */
export function AppPasswordLine({ password, onRevoked }: AppPasswordLineProps) {
  const t = useText()
  const locale = useLocale()
  const { busy, problem, submit } = useSubmission(onRevoked)
  const { id, name, createdAt, lastUsedAt, network } = password
  const time = (at: number) => formatWhen(at, Date.now(), locale)
  return (
    <li className={classes.line}>
      <IconKey size={20} stroke={1.6} aria-hidden="true" className={classes.icon} />
      <div className={classes.words}>
        <span className={classes.title}>{name}</span>
        <Facts>
          {lastUsedAt === null ? t('appPasswords.unused') : t('appPasswords.used', { time: time(lastUsedAt) })}
          {network && <span className="num">{network}</span>}
          {t('appPasswords.created', { time: time(createdAt) })}
          {problem && <span role="alert">{problem}</span>}
        </Facts>
      </div>
      <Button
        size="xs"
        loading={busy}
        aria-label={t('appPasswords.revokeOf', { name })}
        onClick={() => void submit(() => revokeAppPassword(id))}
      >
        {t('appPasswords.revoke')}
      </Button>
    </li>
  )
}
