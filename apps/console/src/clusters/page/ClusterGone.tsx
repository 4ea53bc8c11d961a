import { EmptyState } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useText } from '../../locales/text.ts'

/** The address names a cluster that is not, or not ours; both look the same on purpose. */
export function ClusterGone() {
  const t = useText()
  return (
    <EmptyState
      page
      title={t('detail.goneTitle')}
      actions={
        <Button component={Link} to="/">
          {t('detail.goneBack')}
        </Button>
      }
    >
      {t('detail.gone')}
    </EmptyState>
  )
}
