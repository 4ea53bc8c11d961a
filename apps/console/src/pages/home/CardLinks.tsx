import type { Resource } from '@atoll/contract'
import { Menu } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useText } from '../../i18n/text.ts'

/** Where the card's menu leads. */
export function CardLinks({ cluster }: { cluster: Resource }) {
  const t = useText()
  return (
    <Menu.Item
      renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={{ clusterId: cluster.clusterId }} />}
      leftSection={<IconInfoCircle size={16} stroke={1.6} aria-hidden="true" />}
    >
      {t('cluster.details')}
    </Menu.Item>
  )
}
