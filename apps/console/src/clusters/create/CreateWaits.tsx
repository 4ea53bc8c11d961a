import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSurroundings } from '../../kit/browser/use-surroundings.ts'
import { useText } from '../../locales/text.ts'

/** All of the page while a bill is past due; the notice above every page leads to it. */
export function CreateWaits({ reason }: { reason: string }) {
  const t = useText()
  const { home } = useSurroundings()
  return (
    <EmptyState
      page
      tall
      title={reason}
      actions={
        <Button size="lg" renderRoot={(props) => <Link {...props} to={home} />}>
          {t('refused.backHome')}
        </Button>
      }
    >
      {t('shell.pastDueCreate')}
    </EmptyState>
  )
}
