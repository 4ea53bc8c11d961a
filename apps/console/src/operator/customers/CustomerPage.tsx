import { customerShow, type StaffPerson } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { useState } from 'react'
import { useCall } from '../../data/use-call.ts'
import { useCrumb } from '../../kit/page/crumb.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useText } from '../../locales/text.ts'
import { CustomerView } from './CustomerView.tsx'
import { WhyDialog } from './WhyDialog.tsx'

/** How often a customer's page is read again, ms: nothing tells staff of a customer's changes. */
const everyMs = 15_000

/** One customer, once it is said why. */
export function CustomerPage({ accountId }: { accountId: string }) {
  const t = useText()
  const query = useCall(customerShow, { accountId }, { refetchInterval: everyMs })
  const [isChanging, setChanging] = useState(false)
  const refresh = () => void query.refetch()
  return (
    <ObjectPage
      query={query}
      page={t('operator.customers')}
      errorTitle={t('operator.customerError')}
      gone={<ObjectGone title={t('operator.customerGone')}>{t('operator.customerGoneText')}</ObjectGone>}
    >
      {({ person, look, waits, customer }) => (
        <>
          <Named person={person} />
          {customer && look ? (
            <CustomerView
              customer={customer}
              reason={look.reason}
              onChangeReason={() => setChanging(true)}
              onChanged={refresh}
            />
          ) : (
            <h1 tabIndex={-1}>{displayName(person)}</h1>
          )}
          {(isChanging || !look) && (
            <WhyDialog
              person={person}
              waits={waits}
              onDone={() => {
                setChanging(false)
                refresh()
              }}
              onClose={look ? () => setChanging(false) : undefined}
            />
          )}
        </>
      )}
    </ObjectPage>
  )
}

function Named({ person }: { person: StaffPerson }) {
  usePageTitle(displayName(person))
  useCrumb(displayName(person))
  return null
}
