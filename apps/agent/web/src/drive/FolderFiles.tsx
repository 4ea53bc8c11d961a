import type { DriveFound } from '@atoll/contract/personal-server'
import { useState } from 'react'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import toolbar from './FileToolbar.module.css'
import { nameOf } from './paths.ts'
import { SearchField } from './search/SearchField.tsx'
import { SearchState } from './search/SearchState.tsx'
import { useSearch } from './search/use-search.ts'
import { SelectionBar } from './selection/SelectionBar.tsx'
import { useSelection } from './selection/use-selection.ts'
import type { FileAction } from './table/FileMenu.tsx'
import { FileTable } from './table/FileTable.tsx'
import { sortFiles } from './table/file-order.ts'
import { SortMenu } from './table/SortMenu.tsx'
import { useFileOrder } from './table/use-file-order.ts'

interface FolderFilesProps {
  folder: string
  entries: readonly DriveFound[]
  /** Grows whenever something has changed: what was found is asked for again. */
  changes: number
  onAction(action: FileAction, items: readonly DriveFound[]): void
}

/** What is in the folder, or what was found below it: sorted, searched, and chosen from. */
export function FolderFiles({ folder, entries, changes, onAction }: FolderFilesProps) {
  const t = useText()
  const [query, setQuery] = useState('')
  const { order, orderBy } = useFileOrder()
  const { isOn, answer, isBusy } = useSearch(folder, query, changes)
  const found = answer && 'found' in answer ? answer.found.entries : []
  const shown = sortFiles(isOn ? found : entries, order, currentLocale())
  const selection = useSelection(shown)
  return (
    <>
      <div className={toolbar.toolbar}>
        {selection.items.length > 0 ? (
          <SelectionBar selection={selection} onAction={onAction} />
        ) : (
          <>
            <SearchField folder={folder === '/' ? t('drive.root') : nameOf(folder)} value={query} onChange={setQuery} />
            <SortMenu order={order} onOrder={orderBy} />
          </>
        )}
      </div>
      {isOn && <SearchState answer={answer} isBusy={isBusy} />}
      {shown.length > 0 && (
        <FileTable
          entries={shown}
          order={order}
          showsPlace={isOn}
          selection={selection}
          onOrder={orderBy}
          onAction={(action, entry) => onAction(action, [entry])}
        />
      )}
    </>
  )
}
