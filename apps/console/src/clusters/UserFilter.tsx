import type { ClusterUser } from '@atoll/contract/clusters'
import { displayName } from '@atoll/contract/wire'
import { IconUsers } from '@tabler/icons-react'
import { FilterMenu } from '../kit/menu/FilterMenu.tsx'
import { useText } from '../locales/text.ts'

interface UserFilterProps {
  users: ClusterUser[]
  /** The chosen userid; undefined: all. */
  user: string | undefined
  onChoose: (user: string | undefined) => void
}

/** Whose objects are shown; only where there is more than one user (spec §2). */
export function UserFilter({ users, user, onChoose }: UserFilterProps) {
  const t = useText()
  if (users.length < 2) return null
  return (
    <FilterMenu
      label={t('home.filterUsers')}
      icon={IconUsers}
      all={t('home.allUsers')}
      options={users.map((user) => ({
        value: user.userid,
        label: user.role === 'Admin' ? t('home.adminUser', { name: displayName(user) }) : displayName(user),
      }))}
      value={user}
      onChoose={onChoose}
    />
  )
}
