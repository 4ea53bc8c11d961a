import {
  IconAt,
  IconCertificate,
  IconKey,
  IconLogin2,
  IconPower,
  IconShieldCheck,
  IconShieldX,
  IconUserShare,
  IconUsers,
} from '@tabler/icons-react'
import type { LogEntry, SignatureKind } from '../history/signature-log.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatRecent } from '../i18n/times.ts'
import classes from './SignatureList.module.css'

const icons: Record<SignatureKind, typeof IconKey> = {
  signedIn: IconLogin2,
  activated: IconPower,
  registered: IconKey,
  bound: IconAt,
  applied: IconCertificate,
  presented: IconCertificate,
  handedOn: IconUserShare,
  joined: IconUsers,
  declinedSignIn: IconShieldX,
  declinedActivation: IconShieldX,
  approvedAct: IconShieldCheck,
  declinedAct: IconShieldX,
}

interface SignatureListProps {
  entries: readonly LogEntry[]
}

/** Signed and declined requests, newest first: purpose, site, time. */
export function SignatureList({ entries }: SignatureListProps) {
  const t = useText()
  return (
    <ul className={classes.list}>
      {entries.map((entry) => {
        const Icon = icons[entry.kind]
        return (
          <li key={`${entry.at} ${entry.kind}`} className={classes.row}>
            <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden="true" />
            <div className={classes.what}>
              <div className={classes.kind}>{t(`log.${entry.kind}`)}</div>
              <div className={classes.host}>{entry.host}</div>
            </div>
            <time className={classes.time} dateTime={new Date(entry.at).toISOString()}>
              {formatRecent(entry.at, Date.now(), currentLocale())}
            </time>
          </li>
        )
      })}
    </ul>
  )
}
