import { type DomainDetail, type DomainMember, domainMembers, type MemberState } from '@atoll/contract/domains'
import { unreadableRows } from '@atoll/contract/wire'
import { Avatar, EmptyState, StateBadge, stateLook } from '@atoll/ui'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { useCall } from '../../data/use-call.ts'
import { useLookRefusal } from '../../kit/browser/use-change-refusal.ts'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import type { Column } from '../../kit/table/DataTable.tsx'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { useListSearch } from '../../kit/table/use-list-search.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { BrokenId } from '../BrokenId.tsx'
import { domainSearch } from '../domain-search.ts'
import { AddressesSection } from './AddressesSection.tsx'
import { ClusterLink } from './ClusterLink.tsx'
import { MemberDialog } from './MemberDialog.tsx'
import classes from './Members.module.css'
import { type AskedOfMember, memberActionsOf } from './member-actions.ts'

const looks = {
  joined: { colour: 'green', shape: 'disc' },
  invited: { colour: 'amber', shape: 'hollow' },
  lapsed: { colour: 'grey', shape: 'hollow' },
} as const satisfies Record<MemberState, object>

/** Members with an ID under a domain, and invitations (board 24). */
export function MembersSection({ detail }: { detail: DomainDetail }) {
  const { domain, shown } = detail
  const t = useText()
  const list = useListSearch(domainSearch)
  const query = useCall(domainMembers, { domain, page: list.search.page ?? 1 })
  const [asked, setAsked] = useState<AskedOfMember>()
  const refused = query.data?.refused
  const columns = useColumns(domain, setAsked)
  const addresses = query.data?.members.flatMap((member) => member.addresses) ?? []
  return (
    <section aria-labelledby="members">
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id="members">{t('domains.members.title')}</h2>
          <p>{t('domains.members.text', { domain: shown })}</p>
        </div>
        <ChangeButton
          {...refusedButton(refused)}
          leftSection={<IconUserPlus size={16} stroke={1.6} aria-hidden="true" />}
          onClick={() => refused === undefined && setAsked({ kind: 'invite' })}
        >
          {t('domains.members.invite')}
        </ChangeButton>
      </div>
      <PagedTable
        label={t('domains.members.title')}
        query={query}
        rows={({ members }) => members}
        list={list}
        errorTitle={t('domains.members.errorTitle')}
        empty={
          <EmptyState title={t('domains.members.emptyTitle')}>
            {t('domains.members.empty', { domain: shown })}
          </EmptyState>
        }
        rowKey={({ name }) => name}
        columns={columns}
      />
      {addresses.length > 0 && <AddressesSection detail={detail} addresses={addresses} />}
      {asked && <MemberDialog domain={domain} shown={shown} asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

function useColumns(domain: string, onAsk: (asked: AskedOfMember) => void): Column<DomainMember>[] {
  const t = useText()
  const refused = useLookRefusal()
  const locale = useLocale()
  const now = serverNow()
  return [
    {
      header: t('domains.members.name'),
      phone: 'first',
      width: '26%',
      cell: ({ name, terminusName, userid, state }) => (
        <span className={classes.name}>
          <Avatar id={userid ?? name} name={name} size={28} />
          <b>{state === 'joined' ? <BrokenId id={terminusName} /> : name}</b>
        </span>
      ),
    },
    {
      header: t('domains.members.state'),
      phone: 'second',
      cell: (member) => <State member={member} />,
    },
    {
      header: t('domains.members.clusters'),
      phone: 'none',
      width: '18%',
      cell: ({ addresses }) => {
        const clusters = addresses.filter(({ host }) => !host.startsWith('*.'))
        if (clusters.length === 0 && unreadableRows(addresses) === 0) return <NoValue />
        return (
          <span className={classes.clusters}>
            {clusters.map((address) => (
              <ClusterLink key={address.host} address={address} />
            ))}
            <UnreadableRows of={addresses} />
          </span>
        )
      },
    },
    {
      header: t('domains.members.email'),
      phone: 'third',
      isQuiet: true,
      width: '20%',
      cell: ({ email }) => (email ? <BrokenId id={email} /> : <NoValue />),
    },
    {
      header: t('domains.members.since'),
      phone: 'second-end',
      isQuiet: true,
      width: '128px',
      cell: ({ joinedAt, createAt }) => formatTime(joinedAt ?? createAt, now, locale),
    },
    {
      header: t('domains.actions'),
      phone: 'first-end',
      isActions: true,
      width: '60px',
      cell: (member) => {
        const actions = memberActionsOf(domain, member, { t, refused, onAsk })
        if (actions.length === 0) return null
        const label = t('common.more', { name: member.name })
        return <ActionMenu label={label} size={32} variant="subtle" actions={actions} />
      },
    },
  ]
}

function State({ member: { state, isAdmin, expireAt } }: { member: DomainMember }) {
  const t = useText()
  const locale = useLocale()
  const until = state === 'invited' ? expireAt : null
  return (
    <span className={classes.state}>
      <StateBadge {...stateLook(looks, state)} bare>
        {t(isAdmin ? 'domains.members.isAdmin' : `domains.members.is.${state}`)}
      </StateBadge>
      {until !== null && (
        <span className={classes.until}>
          {t('domains.members.until', { time: formatDeadline(until, serverNow(), locale) })}
        </span>
      )}
      {state === 'lapsed' && <span className={classes.until}>{t('domains.members.over')}</span>}
    </span>
  )
}
