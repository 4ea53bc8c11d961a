/** The actions on a member or an invitation, as data for the menu of its row. */
import { type DomainMember, memberDelete } from '@atoll/contract/domains'
import { IconMail, IconRefresh, IconTrash, IconUserMinus } from '@tabler/icons-react'
import { confirm } from '../../kit/confirm/confirm.ts'
import type { Action } from '../../kit/menu/action.ts'
import type { Translate } from '../../locales/text.ts'

/** Dialogs of the actions. */
export type AskedOfMember = { kind: 'invite' } | { kind: 'renew' | 'mail'; member: DomainMember }

interface MemberActionsOptions {
  t: Translate
  /** Why none can be done now, in words; undefined: they can. */
  refused: string | undefined
  onAsk: (asked: AskedOfMember) => void
}

export function memberActionsOf(
  domain: string,
  member: DomainMember,
  { t, refused, onAsk }: MemberActionsOptions,
): Action[] {
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
  function remove() {
    const { terminusName } = member
    confirm({
      title: t('domains.members.removeTitle', { name: terminusName }),
      lost: [t('domains.members.removeText'), t('domains.members.removeKept')],
      typed: terminusName,
      keep: t('domains.keep'),
      act: t('domains.members.remove'),
      danger: true,
      run: { call: memberDelete, body: { domain, name, confirm: terminusName } },
    })
  }
  const all = {
    renew: { icon: IconRefresh, onSelect: () => onAsk({ kind: 'renew', member }) },
    mail: { icon: IconMail, onSelect: () => onAsk({ kind: 'mail', member }) },
    delete: { icon: IconTrash, onSelect: takeBack, danger: true },
    remove: { icon: IconUserMinus, onSelect: remove, danger: true },
  }
  return member.actions.map((key) => ({
    key,
    place: 'menu',
    label: t(`domains.members.${key}`),
    disabledReason: refused,
    ...all[key],
  }))
}
