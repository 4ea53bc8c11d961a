import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../i18n/text.ts'
import { BigButton } from '../BigButton.tsx'
import { ChartScreen } from './ChartScreen.tsx'

/** No page at this address. */
export function MissingScreen() {
  const t = useText()
  const navigate = useNavigate()
  return (
    <ChartScreen
      title={t('missing.title')}
      lead={t('missing.body')}
      actions={
        <BigButton variant="filled" onClick={() => void navigate({ to: '/' })}>
          {t('act.home')}
        </BigButton>
      }
    />
  )
}
