import { useRouter } from '@tanstack/react-router'
import { useText } from '../../i18n/text.ts'
import { BigButton } from '../BigButton.tsx'
import { ChartScreen } from './ChartScreen.tsx'

/** A screen threw. The message is not shown: it could carry what a person typed. */
export function FailureScreen() {
  const t = useText()
  const router = useRouter()
  const leave = async () => {
    await router.navigate({ to: '/' })
    await router.invalidate()
  }
  return (
    <ChartScreen
      title={t('failure.title')}
      lead={t('failure.body')}
      actions={
        <BigButton variant="filled" onClick={() => void leave()}>
          {t('act.home')}
        </BigButton>
      }
    />
  )
}
