import type { Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useText } from '../../locales/text.ts'

interface OpenLinkProps {
  cluster: Resource
  /** px */
  size: 30 | 36
  /** Says whose it is: the page has several. */
  isNamed?: boolean
}

/** Opens the personal server in its own tab, once it is active and serving. */
export function OpenLink({ cluster, size, isNamed = false }: OpenLinkProps) {
  const t = useText()
  if (!cluster.url || cluster.status !== 'running') return null
  return (
    <Button
      component="a"
      href={cluster.url}
      target="_blank"
      rel="noopener"
      aria-label={isNamed ? t('common.actOn', { action: t('cluster.open'), name: cluster.name }) : undefined}
      size={size === 30 ? 'xs' : 'sm'}
      rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden="true" />}
    >
      {t('cluster.open')}
    </Button>
  )
}
