import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSurroundings } from '../../kit/browser/use-surroundings.ts'
import { useText } from '../../kit/i18n/text.ts'

/** No instance yet: what they are, and where the first comes from. */
export function InstancesEmpty() {
  const t = useText()
  const { create } = useSurroundings()
  return (
    <EmptyState
      title={t('instances.emptyTitle')}
      actions={
        <Button variant="filled" size="lg" renderRoot={(props) => <Link {...props} to={create} />}>
          {t('home.create')}
        </Button>
      }
    >
      {t('instances.empty')}
    </EmptyState>
  )
}
