import { type Backup, backupList, backupRun } from '@atoll/contract/backups'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import { useText } from '../../locales/text.ts'
import { PaletteGroup } from './PaletteGroup.tsx'
import { PaletteOption } from './PaletteOption.tsx'
import { usePalette } from './palette-context.ts'

/** The account's backups, by name or cluster: go to one, or run it. They appear once something is typed. */
export function PaletteBackups() {
  const t = useText()
  const navigate = useNavigate()
  const { words } = usePalette()
  const { data } = useCall(backupList, {}, { enabled: words.length > 0 })
  const run = useCallMutation(backupRun, { toast: true })
  const refused = useChangeRefusal()
  if (words.length === 0) return null
  const open = ({ backupId }: Backup) => void navigate({ to: '/backupDetails/$backupId', params: { backupId } })
  return (
    <PaletteGroup title={t('shell.backups')}>
      {data?.backups.map((backup) => (
        <PaletteOption
          key={backup.backupId}
          icon={IconHistory}
          label={backup.name}
          hint={backup.clusterName}
          keywords={backup.clusterName}
          onSelect={() => open(backup)}
        />
      ))}
      {data?.backups
        .filter(({ actions }) => actions.includes('run'))
        .map((backup) => (
          <PaletteOption
            key={backup.backupId}
            icon={IconHistory}
            label={t('palette.backUp', { name: backup.name })}
            hint={backup.clusterName}
            keywords={backup.clusterName}
            disabledReason={refused}
            onSelect={() => {
              // Its page shows the run, and asks for the password where that is needed.
              if (!backup.needsPassword) run.mutate({ backupId: backup.backupId })
              open(backup)
            }}
          />
        ))}
    </PaletteGroup>
  )
}
