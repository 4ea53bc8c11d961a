import { type AccountAlerts, type AlertRuleName, alertRuleNames } from '@atoll/contract/observe'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { AlertRuleDialog } from '../clusters/monitoring/alerts/AlertRuleDialog.tsx'
import { useRuleWords } from '../clusters/monitoring/alerts/rule-words.ts'
import { useText } from '../locales/text.ts'
import classes from './Alerts.module.css'
import { groupRules, ruleOf, type WatchedCluster } from './rule-groups.ts'

const every = 'all'

/** The form's first values. */
export interface RuleChoice {
  name: AlertRuleName
  /** Of a cluster; undefined: all of them. */
  clusterId: string | undefined
  /** It is to be watched, whether or not it is now. */
  isNew: boolean
}

interface AccountRuleDialogProps {
  /** At least one. */
  clusters: readonly WatchedCluster[]
  /** The rule of clusters that have none of their own. */
  rules: AccountAlerts['rules']
  begin: RuleChoice
  opened: boolean
  onClose: () => void
}

/** The form of a rule, with what is measured and where: one cluster, or all, later ones included. */
export function AccountRuleDialog({ clusters, rules, begin, opened, onClose }: AccountRuleDialogProps) {
  const t = useText()
  const { what } = useRuleWords()
  const [name, setName] = useState(begin.name)
  const [scope, setScope] = useState(begin.clusterId ?? every)
  const one = clusters.find(({ clusterId }) => clusterId === scope)
  const alike = groupRules(clusters).find((group) => group.isEvery && group.rule.rule === name)
  const rule = one ? ruleOf(one, name) : (alike?.rule ?? ruleOf({ rules }, name))
  if (!rule) return null
  const head = (
    <div className={classes.pair}>
      <NativeSelect
        label={t('alerts.measure')}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(alertRuleNames.find((each) => each === value) ?? name)}
        data={alertRuleNames.map((value) => ({ value, label: what(value) }))}
      />
      <NativeSelect
        label={t('alerts.where')}
        description={scope === every ? t('alerts.whereHelp') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={scope}
        onChange={({ currentTarget }) => setScope(currentTarget.value)}
        data={[
          { value: every, label: t('alerts.whereEvery') },
          ...clusters.map(({ clusterId, name: label }) => ({ value: clusterId, label })),
        ]}
      />
    </div>
  )
  return (
    <AlertRuleDialog
      scope={scope}
      rule={begin.isNew ? { ...rule, isOn: true } : rule}
      opened={opened}
      onClose={onClose}
      head={head}
    />
  )
}
