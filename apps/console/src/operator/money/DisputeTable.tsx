import { disputeAnswer, type StaffDispute } from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { StateBadge } from '@atoll/ui'
import { Textarea } from '@mantine/core'
import { IconCheck, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { type DocumentLook, lookOf } from '../../billing/shared/document-looks.ts'
import { Panel } from '../../billing/shared/Panel.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'
import customers from '../customers/Customers.module.css'
import { PersonLink } from '../customers/PersonLink.tsx'

interface DisputeTableProps {
  disputes: readonly StaffDispute[]
  currency: 'usd' | 'cny'
  onChanged: () => void
}

const looks: Record<StaffDispute['state'], DocumentLook> = {
  open: { label: 'operator.answerNeeded', colour: 'coral', shape: 'disc' },
  inquiry: { label: 'operator.bankAsks', colour: 'amber', shape: 'disc' },
  won: { label: 'operator.disputeWon', colour: 'green', shape: 'disc' },
  lost: { label: 'operator.disputeLost', colour: 'coral', shape: 'square' },
  closed: { label: 'operator.disputeClosed', colour: 'grey', shape: 'square' },
}

/** Disputes at banks, the first deadline first; each is answered once: with evidence, or by accepting it. */
export function DisputeTable({ disputes, currency, onChanged }: DisputeTableProps) {
  const t = useText()
  const locale = useLocale()
  const operatorsOnly = useOperatorsOnly()
  const [opened, setOpened] = useState<{ dispute: StaffDispute; way: 'evidence' | 'accept' }>()
  const [text, setText] = useState('')
  const amount = (minor: number) => formatMoney(minor, currency, locale)
  const at = (time: string) => formatDayAndTime(time, Date.now(), locale)
  const count = (state: string) => disputes.filter((one) => one.state === state).length
  const isOver = ({ dueBy }: StaffDispute) => dueBy !== null && new Date(dueBy).getTime() <= Date.now()
  const deadline = (one: StaffDispute) => {
    if (one.answer)
      return t(one.answer.isSent ? 'operator.answeredBank' : 'operator.answerOnItsWay', { at: at(one.answer.at) })
    if (one.state !== 'open' && one.state !== 'inquiry') return ''
    if (isOver(one)) return t('operator.deadlinePassed')
    return one.dueBy ? at(one.dueBy) : ''
  }
  const answers = (dispute: StaffDispute) => {
    const isWaiting = (dispute.state === 'open' || dispute.state === 'inquiry') && !dispute.answer && !isOver(dispute)
    if (!isWaiting) return null
    const common = { place: 'menu', disabledReason: operatorsOnly } as const
    const open = (way: 'evidence' | 'accept') => () => {
      setText('')
      setOpened({ dispute, way })
    }
    return (
      <ActionMenu
        label={t('common.more', { name: displayName(dispute.person) })}
        size={32}
        variant="subtle"
        actions={[
          { key: 'evidence', label: t('operator.sendEvidence'), icon: IconSend, onSelect: open('evidence'), ...common },
          {
            key: 'accept',
            label: t('operator.acceptDispute'),
            icon: IconCheck,
            danger: true,
            onSelect: open('accept'),
            ...common,
          },
        ]}
      />
    )
  }
  return (
    <div className={customers.section}>
      <Panel
        title={t('operator.disputes')}
        note={t('operator.disputesEnded', { won: count('won'), lost: count('lost') })}
      >
        {disputes.length === 0 ? (
          <p className={customers.none}>{t('operator.noDispute')}</p>
        ) : (
          <DataTable
            label={t('operator.disputes')}
            rows={disputes}
            rowKey={({ disputeId }) => disputeId}
            columns={[
              {
                header: t('operator.customer'),
                leads: true,
                cell: ({ person, number }) => <PersonLink person={person} second={number} />,
                phone: 'first',
              },
              {
                header: t('operator.reason'),
                cell: ({ reason }) => reason.replaceAll('_', ' '),
                width: '18%',
                isQuiet: true,
              },
              { header: t('operator.answerUntil'), cell: deadline, width: '22%', isQuiet: true, phone: 'second' },
              {
                header: t('operator.state'),
                cell: ({ state }) => {
                  const { label, colour, shape } = lookOf(looks, state)
                  return (
                    <StateBadge bare colour={colour} shape={shape}>
                      {t(label)}
                    </StateBadge>
                  )
                },
                width: '18%',
                phone: 'second-end',
              },
              {
                header: t('operator.amount'),
                cell: (row) => <span className="num">{amount(row.amount)}</span>,
                width: '12%',
                align: 'right',
                phone: 'first-end',
              },
              { header: t('operator.actions'), cell: answers, width: '56px', isActions: true, phone: 'first-end' },
            ]}
          />
        )}
      </Panel>
      {opened && (
        <ActDialog
          opened
          onClose={() => {
            setOpened(undefined)
            onChanged()
          }}
          title={t(opened.way === 'evidence' ? 'operator.evidenceTitle' : 'operator.acceptTitle', {
            amount: amount(opened.dispute.amount),
          })}
          lead={t(opened.way === 'evidence' ? 'operator.evidenceText' : 'operator.acceptText')}
          act="dispute"
          call={disputeAnswer}
          fields={{ disputeId: opened.dispute.disputeId, way: opened.way, ...(opened.way === 'evidence' && { text }) }}
          asks={{
            object: `${opened.way} ${opened.dispute.disputeId}`,
            name: displayName(opened.dispute.person),
            amount: opened.dispute.amount,
            currency,
          }}
          keep={t('operator.cancel')}
          isDanger={opened.way === 'accept'}
        >
          {() =>
            opened.way === 'evidence' && (
              <Textarea
                label={t('operator.inYourWords')}
                description={t('operator.inYourWordsHelp')}
                value={text}
                maxLength={5000}
                autosize
                minRows={4}
                data-autofocus
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )
          }
        </ActDialog>
      )}
    </div>
  )
}
