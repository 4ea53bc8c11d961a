import { Button } from '@mantine/core'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useText } from '../../locales/text.ts'
import { leaving } from './SiteLinks.tsx'

/** Beside what failed: to the people who can help, where the operator has named some. */
export function SupportLink() {
  const t = useText()
  const { support } = runtimeConfig().links
  if (support === undefined) return null
  return (
    <Button size="xs" variant="subtle" component="a" {...leaving(support)}>
      {t('links.support')}
    </Button>
  )
}
