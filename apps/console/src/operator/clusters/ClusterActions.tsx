import {
  type StaffClusterDetail,
  type StaffCommand,
  staffClusterCommand,
  staffClusterDiagnostics,
  staffClusterGiveUp,
  staffClusterRetry,
  staffCommands,
} from '@atoll/contract/staff'
import { displayName } from '@atoll/contract/wire'
import { Button, Textarea } from '@mantine/core'
import {
  IconBan,
  IconFileZip,
  IconPlayerStop,
  IconRefresh,
  IconRotateClockwise,
  IconTool,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { saveFile } from '../../kit/files/download-file.ts'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { ActionMenu } from '../../kit/menu/ActionMenu.tsx'
import { useText } from '../../locales/text.ts'
import { ActDialog } from '../approve/ActDialog.tsx'
import { CallDialog } from '../approve/CallDialog.tsx'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'

const commands = {
  stop: { label: 'operator.stopCluster', icon: IconPlayerStop },
  restart: { label: 'operator.restartCluster', icon: IconRotateClockwise },
  repair: { label: 'operator.repairCluster', icon: IconTool },
  destroy: { label: 'operator.destroyCluster', icon: IconTrash },
} as const

const icon = { size: 16, stroke: 1.6, 'aria-hidden': 'true' } as const

/** For a cluster that is stuck: to look closer, to give up, to try again. */
export function ClusterActions({ cluster }: { cluster: StaffClusterDetail }) {
  const t = useText()
  const { clusterId } = cluster
  const retry = useCallMutation(staffClusterRetry, { toast: true })
  const diagnose = useCallMutation(staffClusterDiagnostics, {
    toast: true,
    onSuccess({ zip, fileName }) {
      const bytes = Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0))
      saveFile(new Blob([bytes], { type: 'application/zip' }), fileName)
    },
  })
  const disabledReason = useOperatorsOnly()
  const [command, setCommand] = useState<StaffCommand>()
  const [isGivingUp, setGivingUp] = useState(false)
  return (
    <>
      <Button
        leftSection={<IconFileZip {...icon} />}
        loading={diagnose.isPending}
        onClick={() => diagnose.mutate({ clusterId })}
      >
        {t('operator.diagnose')}
      </Button>
      {cluster.mayGiveUp && (
        <Button variant="dangerOutline" leftSection={<IconBan {...icon} />} onClick={() => setGivingUp(true)}>
          {t('operator.giveUp')}
        </Button>
      )}
      {cluster.mayRetry && (
        <Button
          variant="filled"
          leftSection={<IconRefresh {...icon} />}
          loading={retry.isPending}
          onClick={() => retry.mutate({ clusterId })}
        >
          {t('operator.retryNow')}
        </Button>
      )}
      <ActionMenu
        label={t('operator.moreActs', { id: cluster.name })}
        size={36}
        actions={staffCommands.map((key) => ({
          key,
          ...commands[key],
          label: t(commands[key].label),
          place: 'menu' as const,
          disabledReason,
          onSelect: () => setCommand(key),
        }))}
      />
      {command && (
        <ActDialog
          onClose={() => setCommand(undefined)}
          title={t('operator.actOn', { act: t(commands[command].label), id: cluster.name })}
          lead={t('operator.commandText')}
          act="clusterCommand"
          call={staffClusterCommand}
          fields={{ clusterId, command }}
          asks={{ object: `${command} ${clusterId}`, name: displayName(cluster.person) }}
          isDanger={command === 'destroy'}
        />
      )}
      {isGivingUp && <GiveUpDialog cluster={cluster} onClose={() => setGivingUp(false)} />}
    </>
  )
}

function GiveUpDialog({ cluster, onClose }: { cluster: StaffClusterDetail; onClose: () => void }) {
  const t = useText()
  const { clusterId, name } = cluster
  const form = useCallForm(staffClusterGiveUp, { rest: { clusterId }, values: { text: '' } })
  return (
    <CallDialog
      title={t('operator.giveUpTitle', { name })}
      lead={t('operator.giveUpText', { name })}
      act={t('operator.giveUp')}
      keep={t('operator.keepTrying')}
      isDanger
      form={form}
      onDone={onClose}
      onClose={onClose}
    >
      <Textarea
        {...form.field('text')}
        data-autofocus
        label={t('operator.customerWillRead')}
        maxLength={500}
        autosize
        minRows={2}
      />
      <p className="small soft">{t('operator.giveUpFree')}</p>
    </CallDialog>
  )
}
