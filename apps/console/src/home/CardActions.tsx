import type { Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ActionButtons } from '../clusters/actions/ActionButtons.tsx'
import { OpenLink } from '../clusters/card/OpenLink.tsx'
import { isAwaitingHost, isBeingMade } from '../clusters/card/progress-steps.ts'
import { StepOf } from '../clusters/card/StepOf.tsx'
import { ActionMenu } from '../kit/menu/ActionMenu.tsx'
import type { Action } from '../kit/menu/action.ts'
import { useText } from '../locales/text.ts'
import classes from './ClusterCard.module.css'
import { cardLinks } from './card-links.ts'
import { detailLinkOf } from './detail-link.ts'

interface CardActionsProps {
  cluster: Resource
  actions: Action[]
  /** Its primary action is what the page waits for. */
  isNext: boolean
}

/** The cluster's actions, and a link to its details; beside its title. */
export function CardActions({ cluster, actions, isNext }: CardActionsProps) {
  const t = useText()
  const detailLink = detailLinkOf(cluster)
  const params = { clusterId: cluster.clusterId }
  return (
    <div className={classes.actions}>
      {isBeingMade(cluster) && !isAwaitingHost(cluster) && (
        <span className={classes.step}>
          <StepOf cluster={cluster} />
        </span>
      )}
      {detailLink && (
        <Button
          size="xs"
          aria-label={t('common.labelled', { label: cluster.name, value: t(detailLink) })}
          renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={params} />}
        >
          {t(detailLink)}
        </Button>
      )}
      <OpenLink cluster={cluster} size={30} isNamed />
      <ActionButtons actions={actions} size={30} filled={isNext} of={cluster.name} />
      <ActionMenu
        actions={actions}
        size={30}
        label={t('common.more', { name: cluster.name })}
        links={cardLinks(cluster, t)}
      />
    </div>
  )
}
