import { sessionList } from '@atoll/contract/accounts'
import { countRows } from '@atoll/contract/wire'
import { PageHeader, useDelayed } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { useCall } from '../data/use-call.ts'
import { useNow } from '../kit/browser/use-now.ts'
import { LoadFailure } from '../kit/page/LoadFailure.tsx'
import { SettingRow, SettingRows } from '../kit/page/SettingRow.tsx'
import { StaleNotice } from '../kit/page/StaleNotice.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import { useText } from '../locales/text.ts'
import { RevokeOthers } from './RevokeOthers.tsx'
import { SessionRow } from './SessionRow.tsx'
import classes from './SessionsPage.module.css'

/** Ages are shown to the minute. */
const everyMs = 60_000

/** Where this account is signed in, and how to sign out there. */
export function SessionsPage() {
  const t = useText()
  const { data, error, dataUpdatedAt, refetch } = useCall(sessionList, {})
  const skeleton = useDelayed(!data && !error)
  usePageTitle(t('sessions.title'))
  useNow(everyMs)
  const retry = () => refetch()
  if (!data && error)
    return <LoadFailure page={t('sessions.title')} title={t('sessions.errorTitle')} error={error} onRetry={retry} />
  const others = (countRows(data) ?? 1) - 1
  return (
    <>
      <PageHeader title={t('sessions.title')} actions={others > 0 ? <RevokeOthers count={others} /> : undefined}>
        {t('sessions.lead')}
      </PageHeader>
      {data && error && <StaleNotice error={error} updatedAt={dataUpdatedAt} onRetry={retry} />}
      {skeleton && (
        <div role="status" aria-label={t('common.loading')}>
          <SettingRows>
            {[1, 0.7, 0.4].map((opacity) => (
              <div key={opacity} style={{ opacity }}>
                <SettingRow
                  title={<Skeleton height={14} my={3} width={160} />}
                  text={<Skeleton height={12} my={3} width={260} />}
                />
              </div>
            ))}
          </SettingRows>
        </div>
      )}
      {data && (
        <SettingRows>
          {data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
          <UnreadableRows of={data} />
        </SettingRows>
      )}
      {data && others === 0 && <p className={classes.none}>{t('sessions.nowhereElse')}</p>}
    </>
  )
}
