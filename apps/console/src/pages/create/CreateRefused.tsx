import { errorMessage } from '@atoll/contract'
import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSurroundings } from '../../components/use-surroundings.ts'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useLocale, useText } from '../../i18n/text.ts'

interface CreateRefusedProps {
  reason: 'notPermitted' | 'idNotBound'
  /** Asks again, once an ID was bound. */
  onCheck?: () => void
}

/** Why nothing can be created, in the catalogue's words, and what helps (spec §6). */
export function CreateRefused({ reason, onCheck }: CreateRefusedProps) {
  const t = useText()
  const locale = useLocale()
  const { product, wallet, walletUrl } = runtimeConfig()
  const surroundings = useSurroundings()
  const home = (
    <Button size="lg" renderRoot={(props) => <Link {...props} to={surroundings.home} />}>
      {t('create.backHome')}
    </Button>
  )
  if (reason === 'notPermitted') {
    return (
      <EmptyState page tall title={t('create.refusedTitle')} actions={home}>
        {errorMessage('createNotPermitted', locale, { product })} {t('create.refusedHelp')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      page
      tall
      title={t('create.bindTitle')}
      actions={
        <>
          <Button component="a" href={walletUrl} target="_blank" rel="noopener" variant="filled" size="lg">
            {t('create.bindWallet')}
          </Button>
          <Button size="lg" variant="subtle" onClick={onCheck}>
            {t('create.bindCheck')}
          </Button>
        </>
      }
      facts={[{ icon: <IconAt size={16} stroke={1.6} aria-hidden="true" />, text: t('create.bindFact') }]}
    >
      {errorMessage('idNotBound', locale, { product, wallet })}
    </EmptyState>
  )
}
