import { type AuditRecord, auditKindLabels, auditKinds } from '@atoll/contract/audit'
import { displayName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import { IconCalendar, IconFilter, IconUser, IconX } from '@tabler/icons-react'
import { useInit } from '../data/home-queries.ts'
import { useLocale, useText } from '../kit/i18n/text.ts'
import { FilterMenu } from '../kit/menu/FilterMenu.tsx'
import classes from './ActivityPage.module.css'
import { type ActivitySearch, dayChoices } from './activity-search.ts'

interface ActivityFiltersProps {
  userid: string
  search: ActivitySearch
  /** What is shown: the object that is chosen is named by them. */
  records: readonly AuditRecord[]
  onChoose: (search: ActivitySearch) => void
}

/** What of the log is shown. A new choice begins again at the newest. */
export function ActivityFilters({ userid, search, records, onChoose }: ActivityFiltersProps) {
  const t = useText()
  const locale = useLocale()
  const users = useInit().data?.clusterUserAndPeriod.clusterUser ?? []
  const { page: _, ...kept } = search
  const without = (key: keyof ActivitySearch) =>
    Object.fromEntries(Object.entries(kept).filter(([name]) => name !== key))
  const set = <Key extends keyof ActivitySearch>(key: Key, value: ActivitySearch[Key]) =>
    onChoose(value === undefined ? without(key) : { ...kept, [key]: value })
  const people = [
    { value: userid, label: t('activity.me') },
    ...users.filter((user) => user.userid !== userid).map((user) => ({ value: user.userid, label: displayName(user) })),
  ]
  const object = records.find((record) => record.object.id === search.object)?.object
  return (
    <div className={classes.filters}>
      <FilterMenu
        label={t('activity.filterKind')}
        icon={IconFilter}
        all={t('activity.allKinds')}
        options={auditKinds.map((kind) => ({ value: kind, label: auditKindLabels[kind][locale] }))}
        value={search.kind}
        onChoose={(value) =>
          set(
            'kind',
            auditKinds.find((kind) => kind === value),
          )
        }
      />
      <FilterMenu
        label={t('activity.filterActor')}
        icon={IconUser}
        all={t('activity.anyone')}
        options={people}
        value={search.actor}
        onChoose={(value) => set('actor', value)}
      />
      <FilterMenu
        label={t('activity.filterTime')}
        icon={IconCalendar}
        all={t('activity.anyTime')}
        options={dayChoices.map((count) => ({ value: String(count), label: t('activity.days', { count }) }))}
        value={search.days === undefined ? undefined : String(search.days)}
        onChoose={(value) =>
          set(
            'days',
            dayChoices.find((days) => String(days) === value),
          )
        }
      />
      {search.object && (
        <Button
          rightSection={<IconX size={15} stroke={1.6} aria-hidden="true" />}
          aria-label={`${t('activity.onlyObject', { name: object?.name ?? search.object })}: ${t('activity.showAll')}`}
          onClick={() => onChoose(without('object'))}
        >
          {t('activity.onlyObject', { name: object?.name ?? search.object })}
        </Button>
      )}
    </div>
  )
}
