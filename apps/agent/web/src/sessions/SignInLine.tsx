import type { SignIn } from '@atoll/contract/personal-server'
import { lookUp } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import { IconAlertTriangle, IconLogin2 } from '@tabler/icons-react'
import { useLocale, useText } from '../i18n/text.ts'
import { formatWhen } from '../i18n/times.ts'
import classes from './Sessions.module.css'
import { useDeviceText } from './use-device-text.ts'

interface SignInLineProps {
  signIn: SignIn
}

/** A sign-in, or tries from one network that were wrong. */
export function SignInLine({ signIn: { outcome, place, at, count, appPassword } }: SignInLineProps) {
  const t = useText()
  const locale = useLocale()
  const deviceText = useDeviceText()
  const words = { signedIn: t('sessions.signedIn'), wrongPassword: t('sessions.wrongPassword') }
  const isWrong = outcome === 'wrongPassword'
  const Icon = isWrong ? IconAlertTriangle : IconLogin2
  return (
    <li className={classes.line}>
      <Icon size={20} stroke={1.6} aria-hidden="true" className={isWrong ? classes.wrong : classes.icon} />
      <div className={classes.words}>
        <span className={classes.title}>{lookUp(words, outcome, outcome)}</span>
        <Facts>
          {count > 1 && t('sessions.tries', { count })}
          {appPassword && t('appPasswords.by', { name: appPassword })}
          {deviceText(place)}
          <span className="num">{place.network ?? t('sessions.unknownPlace')}</span>
          <time dateTime={new Date(at).toISOString()}>{formatWhen(at, Date.now(), locale)}</time>
        </Facts>
      </div>
    </li>
  )
}
