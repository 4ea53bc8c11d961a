import type { Resource } from '@atoll/contract/clusters'
import { IconInfoCircle } from '@tabler/icons-react'
import type { MenuLink } from '../kit/menu/ActionItems.tsx'
import type { Translate } from '../locales/text.ts'

/** Where a card's menu leads. */
export function cardLinks({ clusterId }: Resource, t: Translate): MenuLink[] {
  return [
    { label: t('cluster.details'), icon: IconInfoCircle, link: { to: '/cluster/$clusterId', params: { clusterId } } },
  ]
}
