import { type Domain, type DomainMethod, domainList } from '@atoll/contract/domains'
import { countRows } from '@atoll/contract/wire'
import { EmptyState, Notice, PageHeader } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconArrowBack, IconPlus, IconWorldShare } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { HelpLink } from '../../kit/site/HelpLink.tsx'
import { TableCard } from '../../kit/table/TableCard.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useText } from '../../locales/text.ts'
import shared from '../Domains.module.css'
import { AddDomainDialog } from '../dialogs/AddDomainDialog.tsx'
import { AddDomainForm } from '../dialogs/AddDomainForm.tsx'
import { nextOf } from '../domain-steps.ts'
import classes from '../List.module.css'
import { newIdentityUrl } from '../wallet-url.ts'
import { DomainTable } from './DomainTable.tsx'
import { OfferNotice } from './OfferNotice.tsx'

/** The account's custom domains (spec §2, `/domains`). */
export function DomainsPage() {
  const t = useText()
  const query = useCall(domainList, {})
  const { data, error, refetch } = query
  const [isAdding, setAdding] = useState(false)
  usePageTitle(t('domains.title'))
  const { domains = [], offers, refused, methods = [] } = data ?? {}
  return (
    <>
      <PageHeader
        title={t('domains.title')}
        actions={
          domains.length > 0 && (
            <ChangeButton
              leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
              {...refusedButton(refused)}
              onClick={refused === undefined ? () => setAdding(true) : undefined}
            >
              {t('domains.add')}
            </ChangeButton>
          )
        }
      >
        {domains.length > 0 && <Summary domains={domains} />}
      </PageHeader>
      {offers?.map((offer) => (
        <div key={offer.id} className={shared.problem}>
          <OfferNotice offer={offer} />
        </div>
      ))}
      <UnreadableRows of={offers} />
      <TableCard
        rows={countRows(data?.domains)}
        isFiltered={false}
        error={error}
        updatedAt={query.dataUpdatedAt}
        onRetry={() => refetch()}
        errorTitle={t('domains.errorTitle')}
        empty={<DomainsEmpty refused={refused} methods={methods} />}
      >
        <DomainTable domains={domains} />
      </TableCard>
      {domains.length > 0 && refused !== undefined && (
        <div className={classes.note}>
          <NamedNotice refused={refused} />
        </div>
      )}
      {isAdding && <AddDomainDialog onClose={() => setAdding(false)} />}
      <HelpLink page="domains" />
    </>
  )
}

function Summary({ domains }: { domains: readonly Domain[] }) {
  const t = useText()
  const waiting = domains.filter((domain) => nextOf(domain).needsYou).length
  return (
    <>
      {t('domains.count', { count: domains.length })}
      {waiting > 0 && t('domains.needYou', { count: waiting })}
    </>
  )
}

/** Why an identity that has an ID links no domain, and the one that can. */
function NamedNotice({ refused }: { refused: string }) {
  const t = useText()
  const { wallet } = runtimeConfig()
  return (
    <Notice
      tone="amber"
      title={refused}
      action={
        <div className="buttons">
          <Button size="xs" component="a" href={newIdentityUrl()} target="_blank" rel="noreferrer">
            {t('domains.toNewIdentity', { wallet })}
          </Button>
          <Button size="xs" variant="subtle" component={Link} to="/accountList">
            {t('domains.toAccounts')}
          </Button>
        </div>
      }
    >
      {t('domains.namedText', { wallet })}
    </Notice>
  )
}

interface DomainsEmptyProps {
  /** Why this account can add none. */
  refused: string | undefined
  methods: readonly DomainMethod[]
}

function DomainsEmpty({ refused, methods }: DomainsEmptyProps) {
  const t = useText()
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true }
  return (
    <EmptyState
      tall
      title={t('domains.emptyTitle')}
      actions={
        refused === undefined ? (
          <AddDomainForm notice={!methods.includes('ns') && <p className={classes.note}>{t('domains.cnameOnly')}</p>} />
        ) : (
          <div className={classes.addForm}>
            <NamedNotice refused={refused} />
          </div>
        )
      }
      facts={[
        { icon: <IconWorldShare {...icon} />, text: t('domains.factSubdomain') },
        { icon: <IconArrowBack {...icon} />, text: t('domains.factBack') },
      ]}
    >
      {t('domains.empty')}
    </EmptyState>
  )
}
