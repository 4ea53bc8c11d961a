import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { requireUnlocked } from '../../guard.ts'
import { useText } from '../../i18n/text.ts'
import { dropDraft } from '../../keys/draft.ts'
import { BigButton } from '../../kit/BigButton.tsx'
import { Screen } from '../../kit/screens/Screen.tsx'

export const Route = createFileRoute('/new/')({
  beforeLoad: (options) => {
    dropDraft()
    requireUnlocked(options)
  },
  component: AddIdentity,
})

function AddIdentity() {
  const t = useText()
  const navigate = useNavigate()
  return (
    <Screen
      heading={t('home.addTitle')}
      lead={t('home.addLead')}
      leave={{ icon: 'close', to: '/' }}
      actions={
        <>
          <BigButton variant="filled" onClick={() => void navigate({ to: '/new/words' })}>
            {t('welcome.create')}
          </BigButton>
          <BigButton onClick={() => void navigate({ to: '/new/import' })}>{t('welcome.import')}</BigButton>
        </>
      }
    />
  )
}
