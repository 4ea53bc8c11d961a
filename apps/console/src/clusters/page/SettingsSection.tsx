import type { Resource } from '@atoll/contract/clusters'
import { useOnline } from '../../kit/browser/use-online.ts'
import type { Action } from '../../kit/menu/action.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { SettingRow, SettingRows } from '../../kit/page/SettingRow.tsx'
import { useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { type AnyInstance, useClusterDialogs } from '../actions/cluster-dialogs-context.ts'
import { DangerZone } from './DangerZone.tsx'
import { GatheredSettings } from './GatheredSettings.tsx'
import { UpdateSetting } from './UpdateSetting.tsx'

interface SettingsSectionProps {
  cluster: Resource
  actions: Action[]
  /** Undefined: not known yet. */
  instances: AnyInstance[] | undefined
}

/** Settings of a cluster, and below them the acts that cannot be undone. */
export function SettingsSection({ cluster, actions, instances }: SettingsSectionProps) {
  const t = useText()
  const dialogs = useClusterDialogs()
  const online = useOnline()
  const isMine = useCurrentAccount()?.userid === cluster.owner.userid
  const replace = actions.find(({ key }) => key === 'replaceMachine')
  const refusal = cluster.refusals.replaceMachine
  return (
    <>
      <SettingRows>
        <SettingRow
          title={t('create.name')}
          text={online ? cluster.name : `${cluster.name} · ${t('shell.offlineAction')}`}
        >
          <ChangeButton size="xs" disabled={!online} onClick={() => dialogs.open('rename', cluster)}>
            {t('action.rename')}
          </ChangeButton>
        </SettingRow>
        <GatheredSettings cluster={cluster} isMine={isMine} />
        {isMine && <UpdateSetting clusterId={cluster.clusterId} />}
        {cluster.clusterType === 'SelfHost' && (
          <SettingRow
            title={t('action.replaceMachine')}
            text={replace ? (replace.disabledReason ?? t('replace.setting')) : (refusal ?? '')}
          >
            <ChangeButton
              size="xs"
              disabled={!replace || replace.disabledReason !== undefined}
              onClick={() => replace?.onSelect()}
            >
              {t('action.replaceMachine')}
            </ChangeButton>
          </SettingRow>
        )}
      </SettingRows>
      <DangerZone cluster={cluster} actions={actions} instances={instances} />
    </>
  )
}
