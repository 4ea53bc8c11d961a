import { announcementsPage, type StaffAnnouncement } from '@atoll/contract/announcements'
import { announcementKindLabel } from '@atoll/texts/announced'
import { PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconMessagePlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import type { Action } from '../../kit/menu/action.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { defineListSearch } from '../../kit/table/list-search.ts'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { DayAndTime } from '../parts/DayAndTime.tsx'
import { OperatorButton } from '../parts/OperatorButton.tsx'
import { OperatorMenu } from '../parts/OperatorMenu.tsx'
import { AnnounceDialog } from './AnnounceDialog.tsx'
import { AnnouncementUpdateDialog } from './AnnouncementUpdateDialog.tsx'

const search = defineListSearch({})

/** Maintenance and incidents: what was said, where, from when to when. */
export function AnnouncementsPage() {
  const t = useText()
  const locale = useLocale()
  const list = useListSearch(search)
  const query = useCall(announcementsPage, { page: list.search.page ?? 1 }, { placeholderData: keepPreviousData })
  usePageTitle(t('operator.announcements'))
  useCrumb(t('operator.announcements'))
  const [dialog, setDialog] = useState<{ announcement?: StaffAnnouncement; ends?: boolean }>()
  const done = () => {
    setDialog(undefined)
    void query.refetch()
  }
  const stateOf = ({ endedAt, startsAt }: StaffAnnouncement) => {
    if (endedAt !== null) return t('operator.announceOver')
    return t(Date.parse(startsAt) > Date.now() ? 'operator.announcePlanned' : 'operator.announceNow')
  }
  const actionsOf = (announcement: StaffAnnouncement): Omit<Action, 'place'>[] => {
    return [
      {
        key: 'more',
        label: t('operator.announceMore'),
        icon: IconMessagePlus,
        onSelect: () => setDialog({ announcement }),
      },
      {
        key: 'end',
        label: t('operator.announceEnd'),
        icon: IconCircleCheck,
        onSelect: () => setDialog({ announcement, ends: true }),
      },
    ]
  }
  return (
    <>
      <PageHeader
        title={t('operator.announcements')}
        actions={
          <>
            <Button component="a" href="/status">
              {t('operator.announceStatus')}
            </Button>
            <OperatorButton onClick={() => setDialog({})}>{t('operator.announce')}</OperatorButton>
          </>
        }
      >
        {t('operator.announceLead')}
      </PageHeader>
      <PagedTable
        label={t('operator.announcements')}
        query={query}
        rows={({ announcements }) => announcements}
        rowKey={({ announcementId }) => announcementId}
        list={list}
        errorTitle={t('operator.announceError')}
        empty={t('operator.announceNone')}
        columns={[
          {
            header: t('operator.announceWhat'),
            cell: ({ title, kind }) => <CellLines main={title[locale]} second={announcementKindLabel(kind, locale)} />,
            phone: 'first',
          },
          { header: t('operator.state'), cell: stateOf, width: '12%', phone: 'first-end' },
          {
            header: t('operator.announceRegions'),
            cell: ({ regions }) =>
              regions.map(({ title }) => title[locale]).join(locale === 'zh-CN' ? '、' : ', ') ||
              t('operator.announceEverywhere'),
            width: '22%',
            isQuiet: true,
          },
          {
            header: t('operator.announceStarts'),
            cell: ({ startsAt }) => <DayAndTime at={startsAt} />,
            width: '15%',
            isQuiet: true,
          },
          {
            header: t('operator.announceEnds'),
            cell: ({ endsAt, endedAt }) => <DayAndTime at={endedAt ?? endsAt} />,
            width: '15%',
            isQuiet: true,
          },
          {
            header: t('operator.actions'),
            cell: (announcement) =>
              announcement.endedAt === null && (
                <OperatorMenu name={announcement.title[locale]} actions={actionsOf(announcement)} />
              ),
            width: '56px',
            isActions: true,
            phone: 'first-end',
          },
        ]}
      />
      {dialog &&
        (dialog.announcement ? (
          <AnnouncementUpdateDialog
            announcement={dialog.announcement}
            ends={dialog.ends ?? false}
            onClose={() => setDialog(undefined)}
            onWritten={done}
          />
        ) : (
          <AnnounceDialog regions={query.data?.regions ?? []} onClose={() => setDialog(undefined)} onWritten={done} />
        ))}
    </>
  )
}
