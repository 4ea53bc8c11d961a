/** What can be done with an invitation, as data: its row's menu is made of it. */
import { type DomainMember, memberDelete } from '@atoll/contract/domains'
import { IconMail, IconRefresh, IconTrash } from '@tabler/icons-react'
import type { Action } from '../../clusters/actions/action.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import type { Translate } from '../../locales/text.ts'

/** What a dialog asks for. */
export type AskedOfMember = { kind: 'invite' } | { kind: 'renew' | 'mail'; member: DomainMember }

interface MemberActionsOptions {
  t: Translate
  onAsk: (asked: AskedOfMember) => void
}

export function memberActionsOf(domain: string, member: DomainMember, { t, onAsk }: MemberActionsOptions): Action[] {
  const { name } = member
  function takeBack() {
    confirm({
      title: t('domains.members.deleteTitle', { name }),
      lost: [t('domains.members.deleteText')],
      keep: t('domains.keep'),
      act: t('domains.members.delete'),
      danger: true,
      run: { call: memberDelete, body: { domain, name } },
    })
  }
  const all = {
    renew: { icon: IconRefresh, onSelect: () => onAsk({ kind: 'renew', member }) },
    mail: { icon: IconMail, onSelect: () => onAsk({ kind: 'mail', member }) },
    delete: { icon: IconTrash, onSelect: takeBack, danger: true },
  }
  return member.actions.map((key) => ({ key, place: 'menu', label: t(`domains.members.${key}`), ...all[key] }))
}
