import {
  type Backup,
  type BackupMachine,
  backupRestore,
  type chosenWays,
  DrivePath,
  mostChosen,
  type Snapshot,
} from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import dialog from '../../kit/dialog/Dialog.module.css'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { RoomAfter } from '../dialogs/RoomAfter.tsx'
import { countFiles } from '../plan-words.ts'
import { encryptFor, sealPassword } from '../seal-password.ts'
import { type Choice, isPlain, readableName, sumOf } from './choice.ts'
import classes from './Files.module.css'
import { readerOf } from './reader-of.ts'
import { ZipLink } from './ZipLink.tsx'

/** `elsewhere`: as `beside`, in a folder that is typed. */
type ChosenWay = (typeof chosenWays)[number] | 'elsewhere'
const ways = ['newFolder', 'beside', 'elsewhere', 'replace'] as const satisfies ChosenWay[]
/** On another cluster: its own files are in those places. */
const readerWays = ['newFolder'] as const

/** Of chosen entries so many are named. */
const mostNamed = 8
/** All paths together, so that the box has room for them: bytes. */
const mostPathBytes = 34_000

interface ChosenPanelProps {
  backup: Backup
  machine: BackupMachine
  snapshot: Snapshot
  seconds: number | null
  /** Of the snapshot, as the personal server names it. */
  resticId: string | null
  password: string
  choice: Choice
  canRestore: boolean
  onClear: () => void
}

/** The chosen files, where to put them, how long it takes, and the button that restores them. */
export function ChosenPanel(props: ChosenPanelProps) {
  const { backup, machine, snapshot, seconds, resticId, password, choice, canRestore, onClear } = props
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const restore = useCallMutation(backupRestore)
  const [wanted, setWay] = useState<ChosenWay>('newFolder')
  const [isSealing, setSealing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [folder, setFolder] = useState('/')
  const [folderProblem, setFolderProblem] = useState<string>()
  const { backupId } = backup
  const { snapshotId, size } = snapshot
  const paths = [...choice.keys()]
  const hasPlain = paths.every(isPlain)
  const reader = readerOf(backup, machine)
  const way = hasPlain && reader === undefined ? wanted : 'newFolder'
  const { files, bytes } = sumOf(choice)
  const takes =
    seconds === null || bytes === null || !size ? undefined : Math.max(1, Math.ceil((seconds * bytes) / size / 60))

  function submit() {
    const { key } = machine
    const into = way === 'elsewhere' ? folder.trim().replace(/(?<=.)\/+$/, '') : undefined
    const text = JSON.stringify({ paths, into })
    setProblem(undefined)
    setFolderProblem(undefined)
    if (into !== undefined && !DrivePath.safeParse(into).success)
      return setFolderProblem(t('backups.look.folderProblem'))
    if (!key) return setProblem(t('backups.noKey'))
    if (paths.length > mostChosen || new TextEncoder().encode(text).length > mostPathBytes)
      return setProblem(t('backups.look.tooMany', { most: mostChosen }))
    setSealing(true)
    const box = password === '' ? undefined : sealPassword(password, key)
    Promise.all([encryptFor(key, text), box])
      .then(
        ([choice, box]) =>
          restore.mutate(
            {
              backupId,
              snapshotId,
              way: way === 'elsewhere' ? 'beside' : way,
              choice,
              ...(reader !== undefined && { clusterId: reader }),
              ...(box !== undefined && { box }),
            },
            { onSuccess: () => void navigate({ to: '/backupDetails/$backupId', params: { backupId }, search: {} }) },
          ),
        () => setProblem(t('backups.sealFailed')),
      )
      .finally(() => setSealing(false))
  }

  if (choice.size === 0) {
    return (
      <aside className="box" aria-label={t('backups.look.chosen')}>
        <p className={classes.none}>{t('backups.look.none')}</p>
      </aside>
    )
  }
  const count = countFiles(files, locale)
  return (
    <aside className="box" aria-label={t('backups.look.chosen')}>
      <div className={classes.part}>
        <div className={classes.chosenHead}>
          <h2>
            {files === null
              ? t('backups.look.someSelected', { count: choice.size })
              : t('backups.look.selected', count)}
          </h2>
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t('backups.look.clear')}
          </Button>
        </div>
        <ul className={classes.lines}>
          {[...choice].slice(0, mostNamed).map(([path, entry]) => (
            <li key={path}>
              <span>{readableName(entry.name)}</span>
              <span>{entry.size === null ? '–' : formatBytes(entry.size, locale)}</span>
            </li>
          ))}
        </ul>
        {choice.size > mostNamed && (
          <p className="quiet">{t('backups.look.andMore', { count: choice.size - mostNamed })}</p>
        )}
      </div>
      <div className={classes.part} role="radiogroup" aria-label={t('backups.restoreWhere')}>
        <h3>{t('backups.restoreWhere')}</h3>
        {(reader === undefined ? ways : readerWays).map((each) => (
          <ChoiceCard
            key={each}
            group="chosenWay"
            value={each}
            mark="left"
            chosen={way === each}
            disabled={each !== 'newFolder' && !hasPlain}
            onChoose={() => setWay(each)}
          >
            <span className={dialog.choice}>
              {reader === undefined
                ? t(`backups.look.way.${each}`)
                : t('backups.newFolder', { cluster: machine.clusterName })}
            </span>
            <span className={dialog.choiceHelp}>
              {t(each !== 'newFolder' && !hasPlain ? 'backups.look.notPlain' : `backups.look.wayHelp.${each}`)}
            </span>
          </ChoiceCard>
        ))}
        {way === 'elsewhere' && (
          <TextInput
            size="sm"
            label={t('backups.look.path')}
            description={t('backups.look.folderHelp', { cluster: backup.clusterName })}
            value={folder}
            onChange={({ currentTarget }) => {
              setFolder(currentTarget.value)
              setFolderProblem(undefined)
            }}
            error={folderProblem}
            maxLength={1024}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </div>
      <div className={classes.roomPart}>
        <RoomAfter clusterId={machine.clusterId} bytes={bytes} />
      </div>
      <dl className={classes.facts}>
        <dt>{t('backups.look.toFetch')}</dt>
        <dd>
          {bytes === null || files === null
            ? t('backups.look.unknown')
            : t('backups.sizeInFiles', { size: formatBytes(bytes, locale), ...count })}
        </dd>
        {takes !== undefined && (
          <>
            <dt>{t('backups.look.takes')}</dt>
            <dd>{t('backups.look.minutes', { count: takes })}</dd>
          </>
        )}
      </dl>
      <div className={classes.part}>
        {restore.error && <FailureNotice error={restore.error} title={t('backups.look.notBegun')} />}
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
        <ChangeButton
          fullWidth
          variant={way === 'replace' ? 'danger' : 'filled'}
          disabled={!canRestore}
          loading={restore.isPending || isSealing}
          onClick={submit}
        >
          {files === null ? t('backups.look.restore') : t('backups.look.restoreCount', count)}
        </ChangeButton>
        {!canRestore && <p className="quiet">{t('backups.look.busy')}</p>}
        {reader === undefined && (
          <ZipLink clusterId={backup.clusterId} backupId={backupId} resticId={resticId} choice={choice} />
        )}
      </div>
    </aside>
  )
}
