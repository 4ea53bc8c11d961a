import type { Backup, BackupMachine, LookEntry } from '@atoll/contract/backups'
import { formatBytes } from '@atoll/ui/i18n'
import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { IconFile, IconFolder, IconLink, IconLock } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { countFiles } from '../plan-words.ts'
import { AskPassword } from './AskPassword.tsx'
import { type Choice, type Chosen, chosenOf, chosenOfAll, pathIn, readableName, toggle, toggleAll } from './choice.ts'
import classes from './Files.module.css'
import { readerOf } from './reader-of.ts'
import { type EnteredPassword, type Folder, useFolder } from './use-folder.ts'

interface FileBrowserProps {
  backup: Backup
  machine: BackupMachine
  snapshotId: string
  entered: EnteredPassword
  onPassword: (password: string) => void
  choice: Choice
  onChoose: (choice: Choice) => void
}

const icons = { folder: IconFolder, file: IconFile, link: IconLink, other: IconFile } as const

/** Folders of a snapshot and what is found in it, with a box to choose each. */
export function FileBrowser(props: FileBrowserProps) {
  const t = useText()
  const { backup, machine, snapshotId, entered, onPassword } = props
  const [path, setPath] = useState('/')
  const [find, setFind] = useState('')
  const [typed, setTyped] = useState('')
  const machineKey = machine.key
  const clusterId = readerOf(backup, machine)
  const folder = useFolder({ backupId: backup.backupId, snapshotId, clusterId, machineKey, path, find, entered })
  const open = (to: string) => {
    setPath(to)
    setFind('')
    setTyped('')
  }
  const search = (event: FormEvent) => {
    event.preventDefault()
    setFind(typed.trim())
  }
  return (
    <section className="box" aria-label={t('backups.look.label')}>
      <div className={classes.head}>
        <Crumbs root={backup.clusterName} path={path} onOpen={open} />
        <search>
          <form onSubmit={search}>
            <TextInput
              size="sm"
              type="search"
              value={typed}
              onChange={({ currentTarget }) => {
                setTyped(currentTarget.value)
                if (currentTarget.value === '') setFind('')
              }}
              maxLength={256}
              aria-label={t('backups.look.find')}
              placeholder={t('backups.look.find')}
            />
          </form>
        </search>
      </div>
      {folder.needsPassword ? (
        <AskPassword backup={backup} machine={machine} wasWrong={entered.attempt > 0} onPassword={onPassword} />
      ) : (
        <Listing {...props} folder={folder} path={path} find={find} onOpen={open} />
      )}
      <p className={classes.foot}>
        <IconLock size={15} stroke={1.6} aria-hidden="true" />
        {t('backups.look.private', { cluster: machine.clusterName })}
      </p>
    </section>
  )
}

interface CrumbsProps {
  root: string
  path: string
  onOpen: (path: string) => void
}

function Crumbs({ root, path, onOpen }: CrumbsProps) {
  const t = useText()
  const names = path === '/' ? [] : path.slice(1).split('/')
  const all = [root, ...names.map(readableName)]
  return (
    <nav aria-label={t('backups.look.path')}>
      <ol className={classes.crumbs}>
        {all.map((name, at) => {
          const to = `/${names.slice(0, at).join('/')}`
          return (
            <li key={to}>
              {at === all.length - 1 ? (
                <span aria-current="page">{name}</span>
              ) : (
                <button type="button" className={classes.link} onClick={() => onOpen(to)}>
                  {name}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface ListingProps extends FileBrowserProps {
  folder: Folder
  path: string
  find: string
  onOpen: (path: string) => void
}

function Listing({ folder, path, find, choice, onChoose, onOpen }: ListingProps) {
  const t = useText()
  const { entries, error, total, truncated, hasMore } = folder
  if (!entries && error) {
    return (
      <div className={classes.state} role="alert">
        <b>{t('backups.look.failed')}</b>
        <p>{error.message || t('backups.look.noAnswer')}</p>
        <Button onClick={folder.retry}>{t('failure.retry')}</Button>
      </div>
    )
  }
  if (!entries) {
    return (
      <div className={classes.state} role="status" aria-label={t('common.loading')}>
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} height={22} mb={18} />
        ))}
      </div>
    )
  }
  if (entries.length === 0) {
    return (
      <p className={classes.none} role="status">
        {t(find === '' ? 'backups.look.empty' : 'backups.look.nothing')}
      </p>
    )
  }
  const shown = new Map(entries.map((entry) => [pathIn(entry.folder ?? path, entry.name), entry]))
  const ofAll = chosenOfAll(choice, [...shown.keys()])
  return (
    <>
      <table className={classes.table} aria-label={t('backups.look.label')}>
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                checked={ofAll === 'itself' || ofAll === 'within'}
                indeterminate={ofAll === 'some'}
                disabled={ofAll === 'within'}
                onChange={() => onChoose(toggleAll(choice, shown))}
                aria-label={t('backups.look.chooseAll')}
              />
            </th>
            <th scope="col">{t('backups.look.name')}</th>
            <th scope="col" data-align="right">
              {t('backups.size')}
            </th>
            <th scope="col" data-align="right">
              {t('backups.look.changed')}
            </th>
          </tr>
        </thead>
        <tbody>
          {[...shown].map(([at, entry]) => (
            <Row
              key={at}
              entry={entry}
              chosen={chosenOf(choice, at)}
              onToggle={() => onChoose(toggle(choice, at, entry))}
              onOpen={onOpen}
              path={at}
            />
          ))}
        </tbody>
      </table>
      <div className={classes.more} role="status">
        {t(truncated ? 'backups.look.shownOfMore' : 'backups.look.shown', { shown: entries.length, count: total })}
        {hasMore && (
          <Button size="xs" loading={folder.isLoadingMore} onClick={folder.more}>
            {t('backups.look.more')}
          </Button>
        )}
      </div>
    </>
  )
}

interface RowProps {
  entry: LookEntry
  path: string
  chosen: Chosen
  onToggle: () => void
  onOpen: (path: string) => void
}

function Row({ entry, path, chosen, onToggle, onOpen }: RowProps) {
  const t = useText()
  const locale = useLocale()
  const { kind, size, files, modifiedAt, folder } = entry
  const name = readableName(entry.name)
  const Mark = icons[kind]
  const isChosen = chosen === 'itself' || chosen === 'within'
  return (
    <tr data-chosen={chosen !== 'none' || undefined}>
      <td>
        <Checkbox
          checked={isChosen}
          indeterminate={chosen === 'some'}
          disabled={chosen === 'within'}
          onChange={onToggle}
          aria-label={t('backups.look.chooseOne', { name })}
        />
      </td>
      <th scope="row">
        <span className={classes.name}>
          <Mark size={18} stroke={1.6} aria-hidden="true" />
          <span className="grow">
            {kind === 'folder' ? (
              <button type="button" className={classes.folder} onClick={() => onOpen(path)}>
                {name}
              </button>
            ) : (
              name
            )}
            {files !== null && (
              <span className={classes.count}>{t('backups.look.count', countFiles(files, locale))}</span>
            )}
            {folder !== undefined && (
              <button type="button" className={classes.place} onClick={() => onOpen(folder)}>
                {readableName(folder)}
              </button>
            )}
          </span>
        </span>
      </th>
      <td data-align="right">{size === null ? <NoValue /> : formatBytes(size, locale)}</td>
      <td data-align="right" className={classes.changed}>
        {formatDayAndTime(modifiedAt, serverNow(), locale)}
      </td>
    </tr>
  )
}
