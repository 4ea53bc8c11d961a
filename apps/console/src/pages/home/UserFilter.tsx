import { isDisplayableName, type Resource, shorten } from '@atoll/contract'
import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../i18n/text.ts'

type Owner = Resource['owner']

interface UserFilterProps {
  users: Owner[]
  /** The chosen userid; undefined: all. */
  user: string | undefined
}

/** Whose clusters are shown; only where there is more than one user (spec §2). */
export function UserFilter({ users, user }: UserFilterProps) {
  const t = useText()
  const navigate = useNavigate()
  if (users.length < 2) return null
  const nameOf = ({ userid, terminusName }: Owner) => (isDisplayableName(terminusName) ? terminusName : shorten(userid))
  const chosen = users.find(({ userid }) => userid === user)
  const choose = (userid: string | undefined) => void navigate({ to: '/', search: userid ? { user: userid } : {} })
  return (
    <Menu position="bottom-end" checkIcon={<IconCheck size={15} stroke={2.2} aria-hidden="true" />}>
      <Menu.Target>
        <Button
          aria-label={`${t('home.filterUsers')}: ${chosen ? nameOf(chosen) : t('home.allUsers')}`}
          leftSection={<IconUsers size={16} stroke={1.6} aria-hidden="true" />}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden="true" />}
        >
          {chosen ? nameOf(chosen) : t('home.allUsers')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioItem value="" closeMenuOnClick checked={!chosen} onChange={() => choose(undefined)}>
          {t('home.allUsers')}
        </Menu.RadioItem>
        {users.map((owner) => (
          <Menu.RadioItem
            key={owner.userid}
            value={owner.userid}
            closeMenuOnClick
            checked={owner.userid === user}
            onChange={choose}
          >
            {nameOf(owner)}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
