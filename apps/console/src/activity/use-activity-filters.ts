import { auditKinds } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import { auditKindLabel } from '@atoll/texts/audit'
import { IconFilter, IconUser } from '@tabler/icons-react'
import { useInit } from '../data/home-queries.ts'
import type { FilterMenuProps } from '../kit/menu/FilterMenu.tsx'
import { choiceFilter } from '../kit/table/choice-filter.ts'
import type { ListState } from '../kit/table/use-list-search.ts'
import { usePeriodFilter } from '../kit/table/use-period-filter.ts'
import { useLocale, useText } from '../locales/text.ts'
import { type ActivitySearch, dayChoices } from './activity-search.ts'

/** Filters of the log: object, actor, and time. */
export function useActivityFilters(userid: string, { search, set }: ListState<ActivitySearch>): FilterMenuProps[] {
  const t = useText()
  const locale = useLocale()
  const users = useInit().data?.clusterUserAndPeriod.clusterUser ?? []
  const others = users.filter((user) => user.userid !== userid)
  return [
    choiceFilter({
      label: t('activity.filterKind'),
      icon: IconFilter,
      all: t('activity.allKinds'),
      values: auditKinds,
      labelOf: (kind) => auditKindLabel(kind, locale),
      value: search.kind,
      onChoose: (value) => set('kind', value),
    }),
    {
      label: t('activity.filterActor'),
      icon: IconUser,
      all: t('activity.anyone'),
      options: [
        { value: userid, label: t('activity.me') },
        ...others.map((user) => ({ value: user.userid, label: displayName(user) })),
      ],
      value: search.actor,
      onChoose: (value) => set('actor', value),
    },
    usePeriodFilter(dayChoices, search.days, (days) => set('days', days)),
  ]
}
