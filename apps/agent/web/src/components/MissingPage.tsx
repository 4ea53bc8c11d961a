import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../i18n/text.ts'
import classes from './MessagePage.module.css'

/** No page at this address. */
export function MissingPage() {
  const t = useText()
  const navigate = useNavigate()
  return (
    <main className={classes.page}>
      <EmptyState
        title={t('missing.title')}
        actions={
          <Button size="lg" variant="filled" onClick={() => void navigate({ to: '/' })}>
            {t('missing.home')}
          </Button>
        }
      >
        {t('missing.body')}
      </EmptyState>
    </main>
  )
}
