import { Avatar } from '@atoll/ui'
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { productName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import type { WalletIdentity } from '../keys/keychain.ts'
import { Did } from './Did.tsx'
import classes from './IdentityCard.module.css'

interface IdentityCardProps {
  identity: WalletIdentity
  isDefault: boolean
}

/** An identity on the home screen, with the one step it still needs. */
export function IdentityCard({ identity, isDefault }: IdentityCardProps) {
  const t = useText()
  const { did, name, registered } = identity
  const product = productName()
  return (
    <li className={classes.card} data-default={isDefault || undefined}>
      <Link to="/identity/$did" params={{ did }} className={classes.main}>
        <Avatar id={did} name={name} size={44} />
        <span className={classes.names}>
          <span className={classes.name}>{name ?? t('home.noId', { product })}</span>
          <Did value={did} />
        </span>
        {isDefault ? (
          <IconCircleCheck className={classes.check} size={20} stroke={1.8} aria-hidden="true" />
        ) : (
          <IconChevronRight className={classes.chevron} size={18} stroke={1.6} aria-hidden="true" />
        )}
      </Link>
      {isDefault && <span className={classes.tag}>{t('home.signsByDefault')}</span>}
      {!name && (
        <div className={classes.need}>
          <span>{registered ? t('home.neededBefore', { product }) : t('home.notRegistered')}</span>
          <Link to={registered ? '/bind/$did' : '/new/register/$did'} params={{ did }} className={classes.step}>
            {t(registered ? 'home.bind' : 'home.register')}
          </Link>
        </div>
      )}
    </li>
  )
}
