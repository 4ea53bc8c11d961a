import { Mark, Notice } from '@atoll/ui'
import { IconCertificate, IconLineScan, IconLock, IconPlus, IconSettings, IconUsers } from '@tabler/icons-react'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { movedTo, productName } from '../api/runtime-config.ts'
import { SignatureList } from '../approval/SignatureList.tsx'
import { requireUnlocked } from '../guard.ts'
import { listSignatures } from '../history/signature-log.ts'
import { useText } from '../i18n/text.ts'
import classes from '../identities/Home.module.css'
import { IdentityCard } from '../identities/IdentityCard.tsx'
import { dropDraft } from '../keys/draft.ts'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { ActionRow, ListRows } from '../kit/ListRows.tsx'
import screen from '../kit/screens/Screen.module.css'
import { dropCarried } from '../sign/carried-request.ts'

export const Route = createFileRoute('/')({
  beforeLoad: (options) => {
    // Coming home ends the making of an identity.
    dropDraft()
    requireUnlocked(options)
    dropCarried()
  },
  component: Home,
})

function Home() {
  const t = useText()
  const navigate = useNavigate()
  const { identities, defaultDid } = useKeychain()
  const moved = movedTo()
  const recent = listSignatures(localStorage).slice(0, 5)
  return (
    <div className={screen.screen}>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Mark size={24} />
          {t('app.wallet')}
        </span>
        <span className={classes.tools}>
          <button
            type="button"
            className={screen.tool}
            onClick={() => keychain.lock()}
            aria-label={t('act.lock')}
            title={t('act.lock')}
          >
            <IconLock size={20} stroke={1.6} aria-hidden="true" />
          </button>
          <Link to="/settings" className={screen.tool} aria-label={t('act.settings')} title={t('act.settings')}>
            <IconSettings size={20} stroke={1.6} aria-hidden="true" />
          </Link>
        </span>
      </header>
      <main className={classes.content}>
        {moved !== undefined && (
          <Notice
            tone="accent"
            title={t('move.notice', { host: new URL(moved).host })}
            action={<Link to="/move">{t('move.open')}</Link>}
          >
            {t('move.noticeHelp')}
          </Notice>
        )}
        <h1 className={classes.title}>{t('home.title')}</h1>
        <ul className={classes.cards}>
          {identities.map((identity) => (
            <IdentityCard key={identity.did} identity={identity} isDefault={identity.did === defaultDid} />
          ))}
        </ul>
        <Link to="/new" className={classes.add}>
          <IconPlus size={18} stroke={1.6} aria-hidden="true" />
          {t('home.add')}
        </Link>
        <div className={classes.ways}>
          <ListRows>
            <ActionRow
              icon={<IconUsers size={18} stroke={1.6} aria-hidden="true" />}
              onSelect={() => void navigate({ to: '/join' })}
            >
              {t('join.title')}
            </ActionRow>
            <ActionRow
              icon={<IconCertificate size={18} stroke={1.6} aria-hidden="true" />}
              onSelect={() => void navigate({ to: '/credentials' })}
            >
              {t('credentials.title')}
            </ActionRow>
          </ListRows>
        </div>
        <h2 className={classes.section}>{t('home.recent')}</h2>
        {recent.length > 0 ? (
          <SignatureList entries={recent} />
        ) : (
          <p className={classes.nothing}>{t('home.nothing', { product: productName() })}</p>
        )}
      </main>
      <footer className={classes.actions}>
        <BigButton
          variant="filled"
          leftSection={<IconLineScan size={21} stroke={1.8} aria-hidden="true" />}
          onClick={() => void navigate({ to: '/scan' })}
        >
          {t('act.scan')}
        </BigButton>
      </footer>
    </div>
  )
}
