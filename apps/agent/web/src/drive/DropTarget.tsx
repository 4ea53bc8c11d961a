import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './DropTarget.module.css'
import { nameOf } from './paths.ts'

interface DropTargetProps {
  folder: string
  onFiles(files: readonly File[]): void
  children: ReactNode
}

/** Takes files dropped anywhere on the page. A dropped folder has no content to send and is left out. */
export function DropTarget({ folder, onFiles, children }: DropTargetProps) {
  const t = useText()
  // Every child that is entered and left says so; only the balance shows whether the pointer is still here.
  const depth = useRef(0)
  const [over, setOver] = useState(false)
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const enter = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    depth.current += 1
    setOver(true)
  }
  const leave = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    depth.current -= 1
    if (depth.current === 0) setOver(false)
  }
  const drop = (event: DragEvent) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const items = [...event.dataTransfer.items].filter((item) => !item.webkitGetAsEntry()?.isDirectory)
    const files = items.map((item) => item.getAsFile()).filter((file) => file !== null)
    if (files.length > 0) onFiles(files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way to do what the Upload button does
    <div
      className={classes.target}
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {over && (
        <div className={classes.veil}>
          <IconUpload size={28} stroke={1.6} aria-hidden="true" />
          {t('drive.dropHere', { folder: folder === '/' ? t('drive.root') : nameOf(folder) })}
        </div>
      )}
    </div>
  )
}
