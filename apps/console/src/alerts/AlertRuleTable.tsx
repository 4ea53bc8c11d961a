import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import type { AccountAlerts } from '@atoll/contract/observe'
import { countUnreadable } from '@atoll/contract/wire'
import { StatusDot } from '@atoll/ui'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { type Column, DataTable } from '../kit/table/DataTable.tsx'
import { NoValue } from '../kit/table/NoValue.tsx'
import { type TextKey, useText } from '../locales/text.ts'
import classes from './Alerts.module.css'
import type { RuleGroup, RuleState } from './rule-groups.ts'
import { useGroupWords } from './use-group-words.ts'

const looks: Record<RuleState, { colour: BadgeColour; shape: BadgeShape; label: TextKey }> = {
  firing: { colour: 'coral', shape: 'disc', label: 'alerts.stateFiring' },
  pending: { colour: 'amber', shape: 'hollow', label: 'alerts.statePending' },
  ok: { colour: 'green', shape: 'disc', label: 'alerts.stateOk' },
  muted: { colour: 'grey', shape: 'hollow', label: 'alerts.stateMuted' },
  off: { colour: 'grey', shape: 'hollow', label: 'alerts.stateOff' },
}

/** A row of the table, in words. */
export interface ShownRule {
  key: string
  state: RuleState
  title: string
  where: string
  lasts: string | undefined
  lines: readonly string[]
  mail: string
  /** Undefined: nothing of it can be changed. */
  onChange: (() => void) | undefined
}

interface AlertRuleTableProps {
  groups: readonly RuleGroup[]
  /** Fixed rules come after them. */
  ofPlan: readonly ShownRule[]
  history: AccountAlerts['history']
  onChange: (group: RuleGroup) => void
}

/** Every rule of the account as board 27 lists them; below 768 px each is a card. */
export function AlertRuleTable({ groups, ofPlan, history, onChange }: AlertRuleTableProps) {
  const t = useText()
  const words = useGroupWords(history)
  const rows = groups.map((group): ShownRule => {
    const { rule, clusters, state } = group
    return {
      key: `${rule.rule} ${clusters[0]?.clusterId}`,
      state,
      title: words.title(rule),
      where: words.where(group),
      lasts: words.lasts(rule),
      lines: words.lines(group),
      mail: words.mail(group),
      onChange: () => onChange(group),
    }
  })
  const columns: Column<ShownRule>[] = [
    {
      header: t('alerts.columnState'),
      width: '112px',
      cell: ({ state }) => (
        <span className={classes.state}>
          <StatusDot colour={looks[state].colour} shape={looks[state].shape} />
          {t(looks[state].label)}
        </span>
      ),
      phone: 'first-end',
    },
    {
      header: t('alerts.columnRule'),
      width: '21%',
      cell: ({ title }) => <span className="strong">{title}</span>,
      phone: 'first',
    },
    {
      header: t('alerts.columnWhere'),
      width: '13%',
      cell: ({ where }) => where,
      isQuiet: true,
      phone: 'third',
    },
    {
      header: t('alerts.columnFor'),
      width: '92px',
      cell: ({ lasts }) => lasts ?? <NoValue />,
      isQuiet: true,
      phone: 'none',
      isWide: true,
    },
    {
      header: t('alerts.columnNow'),
      cell: ({ lines, state }) => (
        <ul className={classes.lines} data-strong={state === 'firing' || undefined}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ),
      phone: 'second',
    },
    {
      header: t('alerts.columnMail'),
      width: '92px',
      cell: ({ mail }) => mail,
      isQuiet: true,
      phone: 'none',
    },
    {
      header: t('alerts.change'),
      width: '108px',
      isActions: true,
      cell: ({ title, where, onChange: change }) =>
        change && (
          <ChangeButton
            className={classes.change}
            size="xs"
            aria-label={t('alerts.changeOf', { alert: [title, where].join(t('alerts.comma')) })}
            onClick={change}
          >
            {t('alerts.change')}
          </ChangeButton>
        ),
      phone: 'third-end',
    },
  ]
  return (
    <DataTable
      label={t('alerts.title')}
      rows={countUnreadable([...rows, ...ofPlan], groups)}
      rowKey={({ key }) => key}
      columns={columns}
    />
  )
}
