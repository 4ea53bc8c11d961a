import { type Device, type Place, type Session, sessionRevoke } from '@atoll/contract/accounts'
import { lookUp } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import { serverNow } from '../config/runtime-config.ts'
import { showToast } from '../data/show-toast.ts'
import { useCallMutation } from '../data/use-call-mutation.ts'
import { formatAgo, formatTime } from '../kit/format/times.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { SettingRow } from '../kit/page/SettingRow.tsx'
import { Tag } from '../kit/page/Tag.tsx'
import { type Translate, useLocale, useText } from '../locales/text.ts'
import classes from './SessionsPage.module.css'

const icons = {
  computer: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
} satisfies Record<Device['kind'], unknown>

interface SessionRowProps {
  session: Session
}

/** One place this account is signed in: device, place, when it was last there; and how to end it. */
export function SessionRow({ session }: SessionRowProps) {
  const t = useText()
  const locale = useLocale()
  const Icon = lookUp(icons, session.device.kind, IconTerminal2)
  const device = deviceWords(session.device, t)
  const revoke = useCallMutation(sessionRevoke, {
    toast: true,
    onSuccess: () => void showToast({ kind: 'success', text: t('sessions.revoked', { device }) }),
  })
  const now = serverNow()
  return (
    <SettingRow
      icon={<Icon size={20} stroke={1.6} aria-hidden="true" />}
      title={
        <span className={classes.device}>
          {device}
          {session.current && <Tag tone="accent">{t('sessions.current')}</Tag>}
        </span>
      }
      text={
        <Facts>
          {placeWords(session.place, t)}
          {session.ip && <span className="num">{session.ip}</span>}
          {session.current ? null : t('sessions.lastSeen', { ago: formatAgo(session.lastSeenAt, now, locale) })}
          {t('sessions.since', { time: formatTime(session.createdAt, now, locale) })}
        </Facts>
      }
    >
      {!session.current && (
        <ChangeButton
          size="xs"
          loading={revoke.isPending}
          aria-label={t('sessions.revokeOf', { device })}
          onClick={() => revoke.mutate({ id: session.id })}
        >
          {t('sessions.revoke')}
        </ChangeButton>
      )}
    </SettingRow>
  )
}

/** `Chrome on Windows`; what a browser does not say of itself is left out. */
function deviceWords({ kind, browser, system }: Device, t: Translate): string {
  if (browser && system) return t('sessions.device', { browser, system })
  return browser ?? system ?? t(kind === 'program' ? 'sessions.program' : 'sessions.unknownDevice')
}

/** Where an address is, in words, as far as an address says. */
function placeWords({ kind, network }: Place, t: Translate): string {
  switch (kind) {
    case 'thisMachine':
      return t('sessions.thisMachine')
    case 'thisNetwork':
      return t('sessions.thisNetwork')
    case 'privateNetwork':
      return t('sessions.privateNetwork')
    case 'network':
      return t('sessions.network', { network: network ?? '' })
    default:
      return t('sessions.unknownPlace')
  }
}
