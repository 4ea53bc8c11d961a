import { accountAlerts } from '@atoll/contract/observe'
import { countRows, countUnreadable, lacksRows } from '@atoll/contract/wire'
import { EmptyState, PageHeader } from '@atoll/ui'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CreateButton } from '../billing/shared/CreateButton.tsx'
import { AlertHistory } from '../clusters/monitoring/alerts/AlertHistory.tsx'
import { useCall } from '../data/use-call.ts'
import { useNow } from '../kit/browser/use-now.ts'
import { ChangeButton } from '../kit/page/ChangeButton.tsx'
import { LazyPart } from '../kit/page/LazyPart.tsx'
import { usePageTitle } from '../kit/page/use-page-title.ts'
import { TableCard } from '../kit/table/TableCard.tsx'
import { useText } from '../locales/text.ts'
import type { RuleChoice } from './AccountRuleDialog.tsx'
import { AlertRuleTable } from './AlertRuleTable.tsx'
import classes from './Alerts.module.css'
import { groupRules } from './rule-groups.ts'
import { usePlanRule } from './use-plan-rule.ts'

/** How long something lasts is shown to the minute. */
const everyMs = 60_000

const loadDialog = async () => (await import('./AccountRuleDialog.tsx')).AccountRuleDialog

/** Alert rules of all the account's clusters, firing alerts, and past ones. */
export function AlertsPage() {
  const t = useText()
  const query = useCall(accountAlerts, {})
  const { data, error, refetch } = query
  // Counted, so that each opening starts with fresh fields.
  const [asked, setAsked] = useState<{ count: number; begin: RuleChoice }>()
  const [opened, setOpened] = useState(false)
  usePageTitle(t('alerts.title'))
  useNow(everyMs)
  const clusters = data?.clusters ?? []
  const groups = groupRules(clusters)
  const current = groups.flatMap((group) => (group.state === 'off' ? [] : group.current))
  const ofPlan = usePlanRule()
  const count = (state: 'firing' | 'pending') => [...current, ...ofPlan].filter((one) => one.state === state).length
  const open = (begin: RuleChoice) => {
    setAsked({ count: (asked?.count ?? 0) + 1, begin })
    setOpened(true)
  }
  const only = clusters.length === 1 ? clusters[0]?.clusterId : undefined
  return (
    <>
      <PageHeader
        title={t('alerts.title')}
        actions={
          clusters.length > 0 && (
            <ChangeButton
              leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
              onClick={() => open({ name: 'disk', clusterId: only, isNew: true })}
            >
              {t('alerts.newRule')}
            </ChangeButton>
          )
        }
      >
        {data && !lacksRows(clusters) && t('alerts.lead', { firing: count('firing'), pending: count('pending') })}
      </PageHeader>
      <TableCard
        rows={countRows(data?.clusters)}
        isFiltered={false}
        error={error}
        updatedAt={query.dataUpdatedAt}
        onRetry={() => refetch()}
        errorTitle={t('alerts.errorTitle')}
        empty={
          <EmptyState title={t('alerts.emptyTitle')} actions={<CreateButton variant="filled" size="lg" />}>
            {t('alerts.empty')}
          </EmptyState>
        }
      >
        <AlertRuleTable
          groups={countUnreadable(groups, clusters, ...clusters.flatMap(({ rules, current: now }) => [rules, now]))}
          ofPlan={ofPlan}
          history={data?.history ?? []}
          onChange={({ rule, clusters: here, isEvery }) =>
            open({ name: rule.rule, clusterId: isEvery ? only : here[0]?.clusterId, isNew: false })
          }
        />
      </TableCard>
      {clusters.length > 0 && (
        <section className={classes.history} aria-labelledby="alert-history">
          <AlertHistory history={data?.history ?? []} level="h2" />
        </section>
      )}
      {asked && (
        <LazyPart
          key={asked.count}
          load={loadDialog}
          wanted
          onFailure={() => setAsked(undefined)}
          props={{ clusters, rules: data?.rules ?? [], begin: asked.begin, opened, onClose: () => setOpened(false) }}
        />
      )}
    </>
  )
}
