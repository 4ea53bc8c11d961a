import { type Domain, toDomainBase } from '@atoll/contract/domains'
import { StateBadge } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { CellLines } from '../../kit/table/CellLines.tsx'
import { type Column, DataTable } from '../../kit/table/DataTable.tsx'
import { useText } from '../../locales/text.ts'
import { DomainName } from '../DomainName.tsx'
import shared from '../Domains.module.css'
import { nextOf } from '../domain-steps.ts'
import classes from '../List.module.css'
import { useDomainActions } from '../use-domain-actions.ts'
import { StepBar } from './StepBar.tsx'

/** Domains as board 23 lists them; below 768 px each is a card. */
export function DomainTable({ domains }: { domains: readonly Domain[] }) {
  const t = useText()
  const columns: Column<Domain>[] = [
    {
      header: t('domains.domain'),
      leads: true,
      phone: 'first',
      width: '32%',
      cell: (domain) => (
        <CellLines
          main={<DomainName domain={domain} />}
          second={
            <>
              {domain.shown !== domain.domain && <code className={shared.code}>{domain.domain}</code>}
              {domain.shown !== domain.domain && t('money.dot')}
              {t(domain.method === 'ns' ? 'domains.byServers' : 'domains.byCname')}
            </>
          }
        />
      ),
    },
    {
      header: t('domains.step'),
      width: '18%',
      phone: 'third',
      cell: (domain) => <StepBar domain={domain} />,
    },
    {
      header: t('domains.next'),
      phone: 'second',
      cell: (domain) => <Next domain={domain} />,
    },
    {
      header: t('domains.actions'),
      isActions: true,
      width: '168px',
      phone: 'first-end',
      cell: (domain) => <RowActions domain={domain} />,
    },
  ]
  return <DataTable label={t('domains.title')} rows={domains} rowKey={({ id }) => id} columns={columns} />
}

function Next({ domain }: { domain: Domain }) {
  const t = useText()
  const { title, text, colour, shape } = nextOf(domain)
  const { problem } = domain
  return (
    <span className={classes.next}>
      <StateBadge colour={colour} shape={shape} bare>
        {t(title)}
      </StateBadge>
      <span className={classes.nextText} data-tone={problem ? colour : undefined}>
        {t(text, { domain: problem?.other ?? domain.shown, count: domain.members ?? 0 })}
      </span>
    </span>
  )
}

function RowActions({ domain }: { domain: Domain }) {
  const t = useText()
  const { shown } = domain
  const actions = useDomainActions(domain)
  return (
    <span className={classes.rowActions}>
      {nextOf(domain).needsYou && (
        <span className={classes.rowOpen}>
          <Button
            size="xs"
            aria-label={t('domains.openName', { name: shown })}
            renderRoot={(props) => (
              <Link {...props} to="/domain/$base" params={{ base: toDomainBase(domain.domain) }} />
            )}
          >
            {t('domains.open')}
          </Button>
        </span>
      )}
      <ActionMenu label={t('common.more', { name: shown })} size={32} variant="subtle" actions={actions} />
    </span>
  )
}
