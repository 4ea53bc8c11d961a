import type { DomainDetail } from '@atoll/contract/domains'
import { unreadableRows } from '@atoll/contract/wire'
import { Fragment } from 'react'
import { Host } from '../approval/Host.tsx'
import { useText } from '../i18n/text.ts'
import { FactRow, FactRows } from '../kit/FactRows.tsx'

/** The awaited records, to compare with those at the domain's DNS provider. */
export function DomainRecords({ records }: Pick<DomainDetail, 'records'>) {
  const t = useText()
  return (
    <>
      {records.map(({ type, name, values }) => (
        <FactRows key={`${type} ${name}`}>
          <FactRow name={t('domain.type')}>{type}</FactRow>
          <FactRow name={t('domain.name')}>
            <Host value={name} />
          </FactRow>
          <FactRow name={t('domain.value')}>
            {values.map((value) => (
              <Fragment key={value}>
                <Host value={value} />
                <br />
              </Fragment>
            ))}
          </FactRow>
        </FactRows>
      ))}
      {Array.from({ length: unreadableRows(records) }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else is known of them
        <p key={at} className="quiet">
          {t('domain.unreadable')}
        </p>
      ))}
    </>
  )
}
