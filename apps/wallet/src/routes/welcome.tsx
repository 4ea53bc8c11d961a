import { Notice, OtherLanguage } from '@atoll/ui'
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router'
import { productName } from '../api/runtime-config.ts'
import { chooseLocale } from '../i18n/language.ts'
import { useLocale, useText } from '../i18n/text.ts'
import { keychain, useKeychain } from '../keys/use-keychain.ts'
import { BigButton } from '../kit/BigButton.tsx'
import { ChartScreen } from '../kit/screens/ChartScreen.tsx'
import { FormerWallets } from '../move/FormerWallets.tsx'

export const Route = createFileRoute('/welcome')({
  beforeLoad: () => {
    if (keychain.getState().vault === 'present') throw redirect({ to: '/' })
  },
  component: Welcome,
})

function Welcome() {
  const t = useText()
  const navigate = useNavigate()
  const { vault } = useKeychain()
  return (
    <ChartScreen
      title={t('welcome.title')}
      lead={t('welcome.lead', { product: productName() })}
      tools={<OtherLanguage current={useLocale()} onChoose={(locale) => void chooseLocale(locale)} />}
      actions={
        <>
          <BigButton variant="filled" onClick={() => void navigate({ to: '/new/words' })}>
            {t('welcome.create')}
          </BigButton>
          <BigButton onClick={() => void navigate({ to: '/new/import' })}>{t('welcome.import')}</BigButton>
        </>
      }
    >
      <FormerWallets />
      {vault === 'damaged' && (
        <Notice tone="amber" title={t('welcome.damaged')} role="alert">
          {t('welcome.damagedHelp')}
        </Notice>
      )}
    </ChartScreen>
  )
}
