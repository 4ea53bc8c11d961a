import type { Resource } from '@atoll/contract/clusters'
import { statusLabel } from '@atoll/texts/statuses'
import { IconArrowUpRight, IconCircles, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useClusterDialogs } from '../../clusters/actions/cluster-dialogs-context.ts'
import { useClusterActions } from '../../clusters/actions/use-cluster-actions.ts'
import { addressHost } from '../../clusters/card/address-host.ts'
import { useClusters } from '../../clusters/use-clusters.ts'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'
import { usePalette } from './palette-context.ts'
import { holdsWords } from './palette-match.ts'

/** More lines than this are not read but narrowed down by typing. */
const mostClusters = 8
/** Clusters whose actions are offered at once. */
const mostActedOn = 5

/** The account's clusters: go to one, or act on it. Actions appear once something is typed. */
export function PaletteClusters({ userid }: { userid: string }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { words } = usePalette()
  const clusters = useClusters().clusters ?? []
  const describe = ({ status, owner }: Resource) =>
    [statusLabel(status, locale), owner.userid === userid ? undefined : owner.terminusName].filter(Boolean).join(' · ')
  const keywordsOf = ({ owner }: Resource) => owner.terminusName ?? owner.userid
  // Not by status: 'insta' means the instances, not what is installing.
  const found = clusters.filter((cluster) => holdsWords(`${cluster.name} ${keywordsOf(cluster)}`, words))
  // 'restart rang' names an action of one cluster; 'restart' alone, that of each.
  const named = clusters.filter(({ name }) => words.some((word) => holdsWords(name, [word])))
  const actedOn = named.length > 0 || words.length === 0 ? named : clusters
  return (
    <>
      <PaletteGroup title={t('shell.clusters')}>
        {found.slice(0, mostClusters).map((cluster) => (
          <PaletteOption
            key={cluster.clusterId}
            icon={IconCircles}
            label={cluster.name}
            hint={describe(cluster)}
            keywords={keywordsOf(cluster)}
            onSelect={() => void navigate({ to: '/cluster/$clusterId', params: { clusterId: cluster.clusterId } })}
          />
        ))}
      </PaletteGroup>
      <PaletteGroup title={t('palette.actions')}>
        {actedOn.slice(0, mostActedOn).map((cluster) => (
          <PaletteActions key={cluster.clusterId} cluster={cluster} />
        ))}
      </PaletteGroup>
    </>
  )
}

/** The same actions as on the cluster's card, with the same reasons; opening its personal server, and renaming. */
function PaletteActions({ cluster }: { cluster: Resource }) {
  const t = useText()
  const { explained } = useClusterActions(cluster, { toast: true })
  const added = cluster.clusterType === 'SelfHost' ? 'palette.addMachine' : 'palette.addWorker'
  const dialogs = useClusterDialogs()
  const refused = useChangeRefusal()
  const { name, url, status } = cluster
  return (
    <>
      {url && status === 'running' && (
        <PaletteOption
          icon={IconArrowUpRight}
          label={t('common.actOn', { action: t('cluster.open'), name })}
          hint={addressHost(url)}
          onSelect={() => void window.open(url, '_blank', 'noopener')}
        />
      )}
      {explained.map(({ key, label, icon, disabledReason, onSelect }) => (
        <PaletteOption
          key={key}
          icon={icon}
          // The added object is not the cluster: its name is not the verb's object as with the others.
          label={key === 'addWorker' ? t(added, { name }) : t('common.actOn', { action: label, name })}
          disabledReason={disabledReason}
          onSelect={onSelect}
        />
      ))}
      <PaletteOption
        icon={IconPencil}
        label={t('common.actOn', { action: t('action.rename'), name })}
        disabledReason={refused}
        onSelect={() => dialogs.open('rename', cluster)}
      />
    </>
  )
}
