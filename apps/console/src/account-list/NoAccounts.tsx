import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../locales/text.ts'
import type { LoginSearch } from '../signin/login-search.ts'
import classes from './NoAccounts.module.css'

/** Nobody has signed in here, or everyone has left. */
export function NoAccounts({ redirect }: { redirect: string | undefined }) {
  const t = useText()
  const search: LoginSearch = redirect ? { redirect } : {}
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>{t('accounts.title')}</h1>
      <EmptyState
        title={t('accounts.emptyTitle')}
        actions={
          <Button variant="filled" renderRoot={(props) => <Link {...props} to="/login" search={search} />}>
            {t('accounts.signIn')}
          </Button>
        }
      >
        {t('accounts.empty')}
      </EmptyState>
    </main>
  )
}
