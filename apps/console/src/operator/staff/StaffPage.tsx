import { type StaffMember, staffPage } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { auditSentence } from '@atoll/texts/audit'
import { PageHeader } from '@atoll/ui'
import { IconIdBadge2, IconUserMinus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import type { Action } from '../../kit/menu/action.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { defineListSearch } from '../../kit/table/list-search.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { OperatorMenu } from '../parts/OperatorMenu.tsx'
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
  const [dialog, setDialog] = useState<{ member?: StaffMember; ends?: boolean }>()
  const actionsOf = (member: StaffMember): Omit<Action, 'place'>[] => {
    return [
      {
        key: 'change',
        label: t(member.role === 'support' ? 'operator.makeOperator' : 'operator.makeSupport'),
        icon: IconIdBadge2,
        onSelect: () => setDialog({ member }),
      },
      {
        key: 'end',
        label: t('operator.staffEnd'),
        icon: IconUserMinus,
        danger: true,
        onSelect: () => setDialog({ member, ends: true }),
      },
    ]
  }
  const acted = ({ lastAct }: StaffMember) => {
    if (!lastAct) return <NoValue />
    const { action } = lastAct
    const sentence = auditSentence(action, locale)
      .replaceAll(/\[[^\]]*\]/g, '')
      .replaceAll(/\{\w+\}/g, lastAct.objectName ?? '…')
    return <CellLines main={sentence} second={<DayAndTime at={lastAct.at} />} />
  }
  return (
    <>
      <PageHeader
        title={t('operator.staff')}
        actions={<OperatorButton onClick={() => setDialog({})}>{t('operator.staffAddShort')}</OperatorButton>}
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
          { header: t('operator.since'), cell: ({ since }) => <DayAndTime at={since} />, width: '16%', isQuiet: true },
          {
            header: t('operator.givenBy'),
            cell: ({ grantedBy }) => (grantedBy ? displayName(grantedBy) : t('operator.byCommand')),
            width: '20%',
            isQuiet: true,
          },
          { header: t('operator.lastAct'), cell: acted, width: '24%', isQuiet: true },
          {
            header: t('operator.actions'),
            cell: (member) => <OperatorMenu name={displayName(member.person)} actions={actionsOf(member)} />,
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
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}
