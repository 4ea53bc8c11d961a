import { Avatar, CopyButton } from '@atoll/ui'
import { IconAt, IconCircleCheck, IconEye, IconKey, IconTrash } from '@tabler/icons-react'
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { productName } from '../api/runtime-config.ts'
import { requireUnlocked } from '../guard.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatMoment } from '../i18n/times.ts'
import { DeleteIdentity } from '../identities/DeleteIdentity.tsx'
import { Did } from '../identities/Did.tsx'
import classes from '../identities/IdentityPage.module.css'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import { ActionRow, ListRows } from '../kit/ListRows.tsx'
import { Screen } from '../kit/screens/Screen.tsx'

export const Route = createFileRoute('/identity/$did')({
  beforeLoad: (options) => {
    requireUnlocked(options)
    const known = keychain.getState().identities.some((identity) => identity.did === options.params.did)
    if (!known) throw redirect({ to: '/' })
  },
  component: IdentityPage,
})

function IdentityPage() {
  const t = useText()
  const { did } = Route.useParams()
  const navigate = useNavigate()
  const { identities, defaultDid } = useKeychain()
  const [deleting, setDeleting] = useState(false)
  const identity = identities.find((each) => each.did === did)
  // Deleted a moment ago: the navigation home is under way.
  if (!identity) return null
  const { name, registered, createdAt } = identity
  const isDefault = did === defaultDid
  return (
    <Screen title={t('identity.title')} leave={{ icon: 'back', to: '/' }}>
      <div className={classes.who}>
        <Avatar id={did} name={name} size={64} />
        <p className={classes.name}>{name ?? t('home.noId', { product: productName() })}</p>
        {isDefault && <p className={classes.default}>{t('identity.isDefault')}</p>}
      </div>
      <FactRows>
        <FactRow name={t('identity.did')}>
          <span className={classes.did}>
            <Did value={did} full />
            <CopyButton value={did} label={t('act.copy')} copiedLabel={t('act.copied')} />
          </span>
        </FactRow>
        <FactRow name={t('identity.created')}>
          <span className="num">{formatMoment(createdAt, currentLocale())}</span>
        </FactRow>
      </FactRows>
      <div className={classes.actions}>
        <ListRows>
          {!registered && (
            <ActionRow
              icon={<IconKey size={18} stroke={1.6} aria-hidden="true" />}
              onSelect={() => void navigate({ to: '/new/register/$did', params: { did } })}
            >
              {t('home.register')}
            </ActionRow>
          )}
          {registered && !name && (
            <ActionRow
              icon={<IconAt size={18} stroke={1.6} aria-hidden="true" />}
              onSelect={() => void navigate({ to: '/bind/$did', params: { did } })}
            >
              {t('home.bind')}
            </ActionRow>
          )}
          {!isDefault && (
            <ActionRow
              icon={<IconCircleCheck size={18} stroke={1.6} aria-hidden="true" />}
              onSelect={() => keychain.chooseDefault(did)}
            >
              {t('identity.default')}
            </ActionRow>
          )}
          <ActionRow
            icon={<IconEye size={18} stroke={1.6} aria-hidden="true" />}
            onSelect={() => void navigate({ to: '/words/$did', params: { did } })}
          >
            {t('identity.showWords')}
          </ActionRow>
          <ActionRow
            danger
            icon={<IconTrash size={18} stroke={1.6} aria-hidden="true" />}
            onSelect={() => setDeleting(true)}
          >
            {t('identity.delete')}
          </ActionRow>
        </ListRows>
      </div>
      <DeleteIdentity
        identity={identity}
        isLast={identities.length === 1}
        opened={deleting}
        onClose={() => setDeleting(false)}
      />
    </Screen>
  )
}
