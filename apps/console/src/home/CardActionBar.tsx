import type { Resource } from '@atoll/contract/clusters'
import { UnstyledButton } from '@mantine/core'
import { IconArrowUpRight, IconFileText } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ActionMenu } from '../kit/menu/ActionMenu.tsx'
import { type Action, nameAction } from '../kit/menu/action.ts'
import { refusedButton } from '../kit/menu/refused-button.ts'
import { useText } from '../locales/text.ts'
import classes from './CardActionBar.module.css'
import { cardLinks } from './card-links.ts'
import { detailLinkOf } from './detail-link.ts'

interface CardActionBarProps {
  cluster: Resource
  actions: Action[]
  /** Its primary action is what the page waits for. */
  isNext: boolean
}

/** The card's actions on a phone: cells of one row along its foot, each with its word. */
export function CardActionBar({ cluster, actions, isNext }: CardActionBarProps) {
  const t = useText()
  const detailLink = detailLinkOf(cluster)
  return (
    <div className={classes.bar}>
      {detailLink && (
        <Link
          to="/cluster/$clusterId"
          params={{ clusterId: cluster.clusterId }}
          className={classes.cell}
          aria-label={t('common.labelled', { label: cluster.name, value: t(detailLink) })}
        >
          <IconFileText size={17} stroke={1.6} aria-hidden="true" />
          {t(detailLink)}
        </Link>
      )}
      {cluster.status === 'running' && cluster.url && (
        <a
          href={cluster.url}
          target="_blank"
          rel="noopener"
          className={classes.cell}
          aria-label={t('common.actOn', { action: t('cluster.open'), name: cluster.name })}
        >
          <IconArrowUpRight size={17} stroke={1.6} aria-hidden="true" />
          {t('cluster.open')}
        </a>
      )}
      {actions
        .filter(({ place }) => place !== 'menu')
        .map((action) => (
          <UnstyledButton
            key={action.key}
            className={classes.cell}
            aria-label={nameAction(action, cluster.name, t)}
            data-next={(isNext && action.primary) || undefined}
            disabled={action.busy === true}
            {...refusedButton(action.disabledReason)}
            onClick={action.disabledReason === undefined ? action.onSelect : undefined}
          >
            <action.icon size={17} stroke={1.6} aria-hidden="true" />
            {action.label}
          </UnstyledButton>
        ))}
      <div className={classes.menu}>
        <ActionMenu
          actions={actions}
          size={44}
          variant="subtle"
          label={t('common.more', { name: cluster.name })}
          links={cardLinks(cluster, t)}
        />
      </div>
    </div>
  )
}
