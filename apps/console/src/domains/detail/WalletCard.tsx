import type { DomainDetail } from '@atoll/contract/domains'
import { SignInCode } from '@atoll/ui'
import { Button } from '@mantine/core'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useIsPhone } from '../../kit/browser/use-is-narrow.ts'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { useText } from '../../locales/text.ts'
import classes from '../Detail.module.css'
import { walletUrlOf } from '../wallet-url.ts'

interface WalletCardProps {
  detail: DomainDetail
  /** LarePass has no screen for it. */
  isOwnWallet?: boolean
}

/** Where this step goes on: our wallet by a code or a link, LarePass by its own screens. */
export function WalletCard({ detail: { domain, shown, status }, isOwnWallet = false }: WalletCardProps) {
  const t = useText()
  const { wallet } = runtimeConfig()
  const isPhone = useIsPhone()
  const url = walletUrlOf(domain)
  // A part of its step, but where it stands under no step.
  const Title = isOwnWallet ? 'h2' : 'h3'
  const path = [t('domains.pathAccounts', { wallet }), t('domains.pathAdvanced'), t('domains.pathOrganization')]
  const last = status === 'BIND' ? t('domains.pathName', { name: shown }) : t('domains.pathTap', { name: shown })
  return (
    <section className="box clip" aria-labelledby="wallet">
      <div className={classes.wallet}>
        {!isPhone && (
          <div className={classes.code404}>
            <SignInCode value={url} state="waiting" left={0} urgent={false} label={t('domains.code')} />
          </div>
        )}
        <div className={classes.walletWords}>
          <Title id="wallet">{t(isPhone ? 'domains.inThisWallet' : 'domains.scan')}</Title>
          <p>{t('domains.scanText')}</p>
          <p className={classes.walletLink}>
            <Button size="xs" component="a" href={url} target="_blank" rel="noreferrer">
              {t('domains.openWallet')}
            </Button>
            <CopyValue value={url} what={t('domains.whatLink')} />
          </p>
          {!isOwnWallet && (
            <>
              <h3>{t('domains.withWallet', { wallet })}</h3>
              <ol className={classes.path}>
                {[...path, last].map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </>
          )}
        </div>
      </div>
    </section>
  )
}
