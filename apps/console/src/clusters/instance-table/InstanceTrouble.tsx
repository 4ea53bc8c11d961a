import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { nameAction } from '../../kit/menu/action.ts'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceActions } from '../actions/use-instance-actions.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import classes from './InstanceTrouble.module.css'
import type { ShownInstance } from './shown-instance.ts'
import { troubleWords } from './trouble-words.ts'

/** Something is wrong with it that is not shown elsewhere on the page. */
export function isTroubled({ instance, isShownElsewhere = false }: ShownInstance): boolean {
  return !isShownElsewhere && (instance.missing || instance.error !== null)
}

/** The fault of an instance, with its remedy: repair or retry. */
export function InstanceTrouble({ instance, cluster }: ShownInstance) {
  const t = useText()
  const locale = useLocale()
  const actions = useInstanceActions(cluster, instance)
  const name = t('cluster.instanceOf', { name: useInstanceName()(instance), cluster: cluster.name })
  const { lead, rest } = troubleWords(instance, t)
  const helpful = actions.filter(({ place, disabledReason }) => place === 'main' && disabledReason === undefined)
  return (
    <div className={classes.trouble}>
      <IconAlertTriangle size={16} stroke={1.6} aria-hidden="true" />
      <span className={classes.text}>
        {lead && <b>{lead + sentenceGap(locale)}</b>}
        {rest}
      </span>
      {helpful.map((action) => (
        <Button
          key={action.key}
          size="xs"
          aria-label={nameAction(action, name, t)}
          loading={action.busy ?? false}
          onClick={action.onSelect}
        >
          {action.label}
        </Button>
      ))}
    </div>
  )
}
