import type { DriveEntry } from '@atoll/contract/personal-server'
import { IconFile, IconFileText, IconFileZip, IconFolder, IconMovie, IconMusic, IconPhoto } from '@tabler/icons-react'
import classes from './FileTable.module.css'

const kinds: [RegExp, typeof IconFile][] = [
  [/\.(jpe?g|png|gif|webp|avif|heic|svg|tiff?)$/i, IconPhoto],
  [/\.(mp4|mov|mkv|webm|avi|m4v)$/i, IconMovie],
  [/\.(mp3|flac|wav|ogg|m4a|aac|opus)$/i, IconMusic],
  [/\.(zip|gz|tgz|bz2|xz|zst|7z|rar|tar)$/i, IconFileZip],
  [/\.(txt|md|pdf|docx?|odt|rtf|csv|json|ya?ml|html?)$/i, IconFileText],
]

interface FileIconProps {
  entry: Pick<DriveEntry, 'name' | 'kind'>
}

/** The kind of an entry, by its name. Decoration beside it. */
export function FileIcon({ entry }: FileIconProps) {
  const Icon = entry.kind === 'folder' ? IconFolder : (kinds.find(([names]) => names.test(entry.name))?.[1] ?? IconFile)
  return <Icon size={18} stroke={1.6} aria-hidden="true" className={classes.icon} data-kind={entry.kind} />
}
