import type { DriveFound } from '@atoll/contract/personal-server'
import { countRows } from '@atoll/contract/wire'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { PageRange, Pager } from '../components/Pager.tsx'
import { Unreadable } from '../components/Unreadable.tsx'
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
import { type OrderKey, sortFiles } from './table/file-order.ts'
import { SortMenu } from './table/SortMenu.tsx'
import { useFileOrder } from './table/use-file-order.ts'

interface FolderFilesProps {
  folder: string
  entries: readonly DriveFound[]
  /** Grows whenever something has changed: what was found is asked for again. */
  changes: number
  /** Which page of the folder the entries are. */
  paging: { offset: number; total: number; onOffset(offset: number): void }
  onAction(action: FileAction, items: readonly DriveFound[]): void
}

/** The folder's entries, or those found below it: sorted, searched, and chosen from. */
export function FolderFiles({ folder, entries, changes, paging, onAction }: FolderFilesProps) {
  const t = useText()
  const router = useRouter()
  const count = countRows(entries) ?? 0
  const isPart = count < paging.total
  const [query, setQuery] = useState('')
  const { order, orderBy } = useFileOrder()
  const [offset, setOffset] = useState(0)
  const { isOn, answer, isBusy } = useSearch(folder, query, offset, changes)
  const found = answer && 'found' in answer ? answer.found.entries : []
  const shown = sortFiles(isOn ? found : entries, order, currentLocale())
  const selection = useSelection(shown)
  const search = (text: string) => {
    setQuery(text)
    setOffset(0)
  }
  const reorder = (key: OrderKey) => {
    orderBy(key)
    // Another order, other entries come first.
    if (paging.offset > 0) paging.onOffset(0)
    else if (isPart) void router.invalidate()
  }
  return (
    <>
      <div className={toolbar.toolbar}>
        {selection.items.length > 0 ? (
          <SelectionBar selection={selection} onAction={onAction} />
        ) : (
          <>
            <SearchField folder={folder === '/' ? t('drive.root') : nameOf(folder)} value={query} onChange={search} />
            <SortMenu order={order} onOrder={reorder} />
          </>
        )}
      </div>
      {isOn && <SearchState answer={answer} isBusy={isBusy} />}
      {!isOn && isPart && <PageRange offset={paging.offset} shown={count} total={paging.total} />}
      {shown.length > 0 && (
        <FileTable
          entries={shown}
          order={order}
          showsPlace={isOn}
          selection={selection}
          onOrder={reorder}
          onAction={(action, entry) => onAction(action, [entry])}
        />
      )}
      <Unreadable of={isOn ? found : entries} />
      {!isOn && <Pager {...paging} size={folderPage} hasNext={paging.offset + count < paging.total} />}
      {isOn && answer && 'found' in answer && (
        <Pager offset={offset} size={searchPage} hasNext={answer.found.more} onOffset={setOffset} />
      )}
    </>
  )
}

/** As the server pages a folder, and what it found. */
const [folderPage, searchPage] = [5000, 500]
