import type { Resource, ResourceDetail } from '@atoll/contract/clusters'
import { isDisplayableName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import type { Action } from '../../../kit/menu/action.ts'
import { CopyValue } from '../../../kit/page/CopyValue.tsx'
import { SettingRow, SettingRows } from '../../../kit/page/SettingRow.tsx'
import { useText } from '../../../locales/text.ts'
import { useCurrentAccount } from '../../../session/account-store.ts'
import { ClusterAddress } from '../../card/ClusterAddress.tsx'
import { OpenLink } from '../../card/OpenLink.tsx'
import { OneTimePassword } from './OneTimePassword.tsx'
import { PasswordRow } from './PasswordRow.tsx'

interface AccessSectionProps {
  cluster: Resource
  details: ResourceDetail
  actions: Action[]
}

/** How its owner gets in: address, ID, activation, and the one-time password for as long as there is one. */
export function AccessSection({ cluster, details, actions }: AccessSectionProps) {
  const t = useText()
  const { name, owner, osActive } = cluster
  const userid = useCurrentAccount()?.userid
  const activate = actions.find(({ key }) => key === 'activate')
  return (
    <SettingRows>
      <SettingRow
        title={t('access.address')}
        text={cluster.url ? <ClusterAddress cluster={cluster} form="line" /> : t('access.addressNone')}
      >
        <OpenLink cluster={cluster} size={30} />
      </SettingRow>
      {cluster.secondUrl && (
        <SettingRow
          title={t('access.second')}
          text={<ClusterAddress cluster={{ ...cluster, url: cluster.secondUrl }} form="line" isSecond />}
        />
      )}
      <SettingRow
        title={t('access.id')}
        text={isDisplayableName(owner.terminusName) ? owner.terminusName : t('shell.noIdBound')}
      >
        {isDisplayableName(owner.terminusName) && <CopyValue value={owner.terminusName} what={t('access.id')} />}
      </SettingRow>
      <SettingRow
        title={t('access.activation')}
        text={
          osActive ? t('access.activated', { name }) : activate ? t('access.notActivated') : t('access.notInstalled')
        }
      >
        {activate && !activate.disabledReason && (
          <Button size="xs" onClick={activate.onSelect}>
            {activate.label}
          </Button>
        )}
      </SettingRow>
      {osActive && owner.userid === userid ? (
        <PasswordRow cluster={cluster} password={details.userPassword} />
      ) : (
        details.userPassword && (
          <SettingRow
            title={t('dialog.activatePassword')}
            text={
              <>
                <OneTimePassword password={details.userPassword} />
                {t('dialog.activatePasswordHelp')}
              </>
            }
          />
        )
      )}
    </SettingRows>
  )
}
