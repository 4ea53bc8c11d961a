import { auditSentences } from '@atoll/contract/audit'
import { type StaffMember, staffPage } from '@atoll/contract/staff'
import { displayName, lookUp } from '@atoll/contract/wire'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconIdBadge2, IconUserMinus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import type { Action } from '../../kit/menu/action.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { defineListSearch } from '../../kit/table/list-search.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import { StaffDialog } from './StaffDialog.tsx'

const staffSearch = defineListSearch({})

/** The members of staff: since when, by whom, and their last act. */
export function StaffPage() {
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(staffSearch)
  const query = useCall(staffPage, { page: list.search.page ?? 1 }, { placeholderData: keepPreviousData })
  usePageTitle(t('operator.staff'))
  useCrumb(t('operator.staff'))
  const refusal = useOperatorsOnly()
  const [dialog, setDialog] = useState<{ member?: StaffMember; ends?: boolean }>()
  const actionsOf = (member: StaffMember): Action[] => {
    const more = { disabledReason: refusal, place: 'menu' } as const
    return [
      {
        key: 'change',
        label: t(member.role === 'support' ? 'operator.makeOperator' : 'operator.makeSupport'),
        icon: IconIdBadge2,
        onSelect: () => setDialog({ member }),
        ...more,
      },
      {
        key: 'end',
        label: t('operator.staffEnd'),
        icon: IconUserMinus,
        danger: true,
        onSelect: () => setDialog({ member, ends: true }),
        ...more,
      },
    ]
  }
  const when = (at: string) => (
    <time dateTime={at} title={at}>
      {formatDayAndTime(at, Date.now(), locale)}
    </time>
  )
  const acted = ({ lastAct }: StaffMember) => {
    if (!lastAct) return <NoValue />
    const { action } = lastAct
    const sentence = lookUp(auditSentences, action, { 'en-US': action, 'zh-CN': action })
      [locale].replaceAll(/\[[^\]]*\]/g, '')
      .replaceAll(/\{\w+\}/g, lastAct.objectName ?? '…')
    return <CellLines main={sentence} second={when(lastAct.at)} />
  }
  return (
    <>
      <PageHeader
        title={t('operator.staff')}
        actions={
          <Button {...refusedButton(refusal)} onClick={refusal === undefined ? () => setDialog({}) : undefined}>
            {t('operator.staffAddShort')}
          </Button>
        }
      >
        {t('operator.staffLead')}
      </PageHeader>
      <PagedTable
        label={t('operator.staff')}
        query={query}
        rows={({ members }) => members}
        rowKey={({ person }) => person.accountId}
        list={list}
        errorTitle={t('operator.staffError')}
        empty={null}
        columns={[
          {
            header: t('operator.person'),
            cell: ({ person }) => <CellLines main={displayName(person)} />,
            phone: 'first',
          },
          {
            header: t('operator.role'),
            cell: ({ role }) => t(role === 'support' ? 'operator.roleSupport' : 'operator.roleOperator'),
            width: '14%',
            phone: 'first-end',
          },
          { header: t('operator.since'), cell: ({ since }) => when(since), width: '16%', isQuiet: true },
          {
            header: t('operator.givenBy'),
            cell: ({ grantedBy }) => (grantedBy ? displayName(grantedBy) : t('operator.byCommand')),
            width: '20%',
            isQuiet: true,
          },
          { header: t('operator.lastAct'), cell: acted, width: '24%', isQuiet: true },
          {
            header: t('operator.actions'),
            cell: (member) => (
              <ActionMenu
                label={t('common.more', { name: displayName(member.person) })}
                size={32}
                variant="subtle"
                actions={actionsOf(member)}
              />
            ),
            width: '56px',
            isActions: true,
            phone: 'first-end',
          },
        ]}
      />
      {dialog && (
        <StaffDialog
          key={dialog.member?.person.accountId ?? ''}
          member={dialog.member}
          ends={dialog.ends ?? false}
          opened
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
